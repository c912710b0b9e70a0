// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/files/atomic_file.h"
#include "engine/wire/messages.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace trainyard::run {

// evaluation.json in a run's folder (engine/torch/trainer/EVALUATION.md): metrics of the newest validation and, under
// "test", of checkpoints on the test samples. Epochs may be shorter than a write to disk, so the newest values are
// written when due.
class EvaluationFile {
public:
    explicit EvaluationFile(std::filesystem::path path);

    void validated(wire::Evaluation evaluation); // takes the place of all that was there before
    void tested(wire::Tested tested);
    // Monotonic seconds; infinity: nothing to write.
    double due() const;
    // Writes pending values, due or not. Drops them if that fails: the next validation is as good.
    Result<void> write(Outlives outlives = Outlives::PowerLoss);

private:
    void changed();

    std::filesystem::path m_path;
    std::optional<wire::Evaluation> m_newest;
    std::vector<wire::Tested> m_tests;
    double m_due;
};

} // namespace trainyard::run
