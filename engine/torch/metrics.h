// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the training loop: gathered per step, reduced over the ranks every few steps, reported by rank 0.
#pragma once

#include "engine/torch/process_group.h"
#include "engine/wire/messages.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace trainyard::train {

// Where a rank's time went, in seconds, summed over steps.
struct StepTimes {
    double data = 0, compute = 0, comm = 0; // comm: waited for, not hidden behind backward
    double total() const { return data + compute + comm; }
};

// One step of all ranks.
struct StepResult {
    double loss = 0;     // mean over all samples of all ranks
    double accuracy = 0; // share of them that were right, 0..1
};

// The steps since the last reduction. One small all-reduce of doubles for all of them (sums and counts, so the means
// are exact) carries the stop flags too: whoever is asked to stop, all ranks learn it at the same step.
class StepWindow {
public:
    struct Reduced {
        std::vector<StepResult> steps; // in order, the newest last
        bool saveAndStop = false, stopNow = false; // any rank was asked
        double secondsPerStep = 0;     // mean over the ranks
    };

    // One micro-batch of `samples`: its mean loss and its count of right answers, scalars that may lie on a device
    // (nothing is waited for then).
    void addBatch(const torch::Tensor& meanLoss, const torch::Tensor& correct, std::int64_t samples);
    void endStep(const StepTimes& times);
    std::size_t size() const { return m_steps; }
    const StepTimes& times() const { return m_times; } // since the last reduction
    // How many steps to gather before the next reduction: about 50 ms of them. The same on every rank.
    std::size_t target() const { return m_target; }

    // Collective: every rank calls it after the same step. Empties the window.
    Reduced reduce(const ProcessGroup& group, std::optional<wire::StopMode> stop);

private:
    std::vector<torch::Tensor> m_sums; // [loss sum, samples, correct] of each step, double
    torch::Tensor m_current;
    StepTimes m_times;
    std::size_t m_steps = 0, m_target = 1;
};

} // namespace trainyard::train
