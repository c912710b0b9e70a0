// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/averaging/gradient_averager.h"
#include "engine/torch/averaging/sync_batch_norm.h"

namespace trainyard::train {

// What makes one step of all ranks' steps: the averager of the present group, and what passes from one group's to the
// next.
class StepAveraging {
public:
    // Collective. Makes those of a group that has done `step` steps; returns the averager's description. Input: it
    // cannot do what the run file asks for.
    Result<std::string> begin(const spec::RunSpec& spec, const ProcessGroup& group, optim::Optimizer& optimizer,
                              std::int64_t step, const AbortFlag* abort, Progress& progress);
    // Lets the group's go. Weights and optimizer are then in memory of this process alone.
    void end() { m_averager.reset(); }
    GradientAverager& averager() { return *m_averager; } // between the two
    StepReport finishStep(const StepOptions& options);
    // After a peer was lost in the middle of a step. True: all ranks had applied its update.
    bool endedStep();

    // For the next begin(): by the checkpoint that it begins from.
    void carry(optim::NamedTensors carried) { m_carried = std::move(carried); }
    const optim::NamedTensors& carried() const { return m_carried; }

private:
    std::unique_ptr<GradientAverager> m_averager;
    std::unique_ptr<SyncBatchNorm> m_syncBatchNorm;
    std::int64_t m_step = 0; // what settle() of the averager says when no step is under way
    optim::NamedTensors m_carried;
};

} // namespace trainyard::train
