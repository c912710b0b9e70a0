// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/base/rank_progress.h"
#include "engine/torch/group/process_group.h"
#include "engine/torch/trainer/metrics/trainer_report.h"
#include "engine/torch/trainer/tuning.h"

namespace trainyard::train {

// The way in which all ranks of a group compute their steps.
class GroupTuning {
public:
    // Collective. All ranks compute alike: as a checkpoint or a rank that has trained already says, else as rank 0
    // finds. `restored`: progress of the checkpoint, if there is one. Environment: oneDNN is demanded and not there.
    Result<void> agree(const TuningTask& task, const std::map<std::string, double>& restored, const ProcessGroup& group,
                       RunReport& report, Progress& progress);
    // In a group of another size the products have other shapes: the next agreement chooses kernels again.
    void chooseAnew() { m_chooseAnew = true; }

    const Tuned& tuned() const { return *m_tuned; } // after the first agreement
    void save(std::map<std::string, double>& progress) const;

private:
    std::optional<Tuned> m_tuned; // none until the ranks have agreed
    bool m_chooseAnew = false;
};

} // namespace trainyard::train
