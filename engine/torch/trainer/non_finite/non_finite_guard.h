// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/group/process_group.h"
#include "engine/torch/trainer/learner/buffer_copies.h"
#include "engine/torch/trainer/learner/learner.h"
#include "engine/torch/trainer/non_finite/non_finite_rule.h"

namespace trainyard::train {

// Finds the losses and gradients that are not finite, and applies NonFiniteRule to them. A rank whose loss is so makes
// its gradients NaN; the averaged gradients are then NaN on every rank, and all find it at the same step without asking
// one another.
class NonFiniteGuard {
public:
    explicit NonFiniteGuard(const std::string& word) : m_rule(word) {} // failure.nonFinite

    bool endsRun() const { return m_rule.endsRun(); }
    bool rollsBack() const { return m_rule.rollsBack(); }
    // Whether an update must be left out when a gradient is not finite.
    bool skips(const Learner& learner) const { return !endsRun() || learner.precision().scalesLoss(); }

    void beginStep(const Learner& learner);
    // The loss to go backward from in place of one that is not finite, in step number `step`.
    torch::Tensor noteBadLoss(const torch::Tensor& loss, const data::Batch& batch, Learner& learner, std::int64_t step);
    void endGoodStep() { m_rule.afterGoodStep(); }

    // What follows from an update that was left out.
    struct Skipped {
        bool rollsBack = false; // else the step is skipped
        std::string why;        // for people; empty: only fp16's factor was too large
    };
    // Collective. Run error: the run ends.
    Result<Skipped> skipStep(Learner& learner, const ProcessGroup& group, std::int64_t step);
    // Collective, where endsRun(): the error to end with, `lr` being the rate of that step.
    Error lossIsNotFinite(Learner& learner, const ProcessGroup& group, std::int64_t step, double lr);

    // The state of the newest checkpoint, to go back to; kept by every rank where rollsBack().
    void keepState(TrainState state) { m_state = std::move(state); }
    TrainState& keptState() { return *m_state; }
    void noteCheckpoint() { m_rule.afterCheckpoint(); }
    void beginGroup(); // what the ranks of the group before have found is void

private:
    BadLoss firstBadLoss(const ProcessGroup& group);

    NonFiniteRule m_rule;
    BadLoss m_badLoss;
    BufferCopies m_buffers; // as the step found them
    std::optional<TrainState> m_state;
};

} // namespace trainyard::train
