// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the training loop: gathered per step, reduced over the ranks every few steps, reported by rank 0.
#pragma once

#include "engine/torch/group/process_group.h"
#include "engine/wire/messages.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace trainyard::train {

// Where a rank's time went, in seconds, summed over steps, and on how many samples.
struct StepTimes {
    double data = 0, compute = 0, comm = 0; // comm: waited for, not hidden behind backward
    double forward = 0, backward = 0,
           optimizer = 0; // parts of compute; on a CUDA device: until the work was handed over
    double samples = 0;
    double total() const { return data + compute + comm; }
    StepTimes& operator+=(const StepTimes& other);
    StepTimes& operator*=(double factor);
};

// The steps since the last reduction. One small all-reduce of doubles for all of them (sums and counts, so the means
// are exact) carries the stop flags too: whoever is asked to stop, all ranks learn it at the same step.
class StepWindow {
public:
    struct Reduced {
        std::vector<std::vector<double>> steps;    // sums over the ranks of what addBatch was given; the newest last
        bool saveAndStop = false, stopNow = false; // any rank was asked
        bool commands = false;                     // rank 0 has commands for all
        double secondsPerStep = 0;                 // mean over the ranks
    };

    // `width`: how many sums a step has.
    explicit StepWindow(std::int64_t width = 2) : m_width(width) {}

    // The sums of one micro-batch, double [width], that may lie on a device (nothing is waited for then).
    void addBatch(const torch::Tensor& sums);
    void endStep(const StepTimes& times);
    void clear(); // forgets steps that are void
    std::size_t size() const { return m_steps; }
    const StepTimes& times() const { return m_times; } // since the last reduction
    // How many steps to gather before the next reduction: about 50 ms of them. The same on every rank.
    std::size_t target() const { return m_target; }

    // What this rank tells the others along with its sums.
    struct Word {
        std::optional<wire::StopMode> stop;
        bool commands = false;      // rank 0 only
        std::size_t unreported = 0; // rank 0 only: of how many windows before this one its report may still be lost
    };
    // Collective: every rank calls it after the same step. Empties the window. When it throws, the window is as before.
    Reduced reduce(const ProcessGroup& group, const Word& word);

    // For ranks that go on in another group. Forgets the step that was not ended.
    void dropStep() { m_current.reset(); }
    // Steps of the last reductions, still held: whoever was to report them may be gone.
    std::size_t kept() const { return m_kept.size(); }
    // Makes the window hold `steps` steps, with those of the last reductions before it where it needs more, and steps
    // that count nothing before those; and sets target(). After this the window is the same on every rank.
    void reopen(std::size_t steps, std::size_t target);

private:
    void keep(std::size_t windows);

    std::int64_t m_width;
    std::vector<torch::Tensor> m_sums;   // of each step
    std::deque<torch::Tensor> m_kept;    // of the steps of the last reductions
    std::deque<std::size_t> m_keptSizes; // of each of those
    torch::Tensor m_current;
    StepTimes m_times;
    std::size_t m_steps = 0, m_target = 1;
};

} // namespace trainyard::train
