// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/files/atomic_file.h"
#include "engine/wire/messages.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace trainyard::run {

// evaluation.json of a run's folder (engine/torch/trainer/EVALUATION.md): the metrics of the newest validation and,
// under "test", those of checkpoints on the test samples. Epochs may take less time than a disk needs for a file, so
// what comes in is written when it is due, the newest of it.
class EvaluationFile {
public:
    explicit EvaluationFile(std::filesystem::path path);

    void validated(wire::Evaluation evaluation); // takes the place of all that was there before
    void tested(wire::Tested tested);
    // Monotonic seconds; infinity: there is nothing to write.
    double due() const;
    // Writes what has come since the last time, whether due or not. What could not be written is given up: the next
    // validation is as good.
    Result<void> write(Outlives outlives = Outlives::PowerLoss);

private:
    void changed();

    std::filesystem::path m_path;
    std::optional<wire::Evaluation> m_newest;
    std::vector<wire::Tested> m_tests;
    double m_due;
};

} // namespace trainyard::run
