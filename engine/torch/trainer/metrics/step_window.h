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

// Where a rank's time went, in seconds, summed over steps, and on how many samples and steps.
struct StepTimes {
    double data = 0, compute = 0, comm = 0; // comm: waited for, not hidden behind backward
    double forward = 0, backward = 0,
           optimizer = 0; // parts of compute; on a CUDA device: until the work was handed over
    double samples = 0, steps = 0;
    double total() const { return data + compute + comm; }
    StepTimes& operator+=(const StepTimes& other);
    StepTimes& operator*=(double factor);
};

// The steps since the last reduction: the sums of each over the ranks (sums and counts, so the means are exact), the
// same on every rank. The reduction is one small all-reduce of times and stop flags: whichever rank is asked to stop,
// all ranks see it at the same step.
class StepWindow {
public:
    struct Reduced {
        std::vector<std::vector<double>> steps;    // sums over the ranks; the newest last
        bool saveAndStop = false, stopNow = false; // any rank was asked, or all are orphaned
        bool commands = false;                     // rank 0 has commands for all
        double secondsPerStep = 0;                 // mean over the ranks
    };

    // `width`: how many sums a step has. `ownSums`: endStep() is given those of this rank alone, and the reduction adds
    // them up too; for ranks that end with the first that is lost.
    explicit StepWindow(std::int64_t width = 2, bool ownSums = false) : m_width(width), m_ownSums(ownSums) {}

    // `sums`: double [width], that may lie on a device (nothing is waited for then).
    void endStep(const torch::Tensor& sums, const StepTimes& times);
    void clear(); // forgets steps that are void
    std::size_t size() const { return m_sums.size(); }
    const StepTimes& times() const { return m_times; } // since the last reduction
    // On a device, where a step ends once its work is handed over: waits until it is done, which is part of computing.
    void waitForDevice();
    // How many steps to gather before the next reduction: about 16 ms of them, on a device 50 ms, since it idles in a
    // reduction. The same on every rank.
    std::size_t target() const { return m_target; }

    // What this rank tells the others along with its sums.
    struct ControlFlags {
        std::optional<wire::StopMode> stop;
        bool commands = false;      // rank 0 only
        bool orphaned = false;      // it does not hear its supervisor
        std::size_t unreported = 0; // rank 0 only: of how many windows before this one its report may be lost
    };
    // Collective: every rank calls it after the same step. Empties the window. When it throws, the window is as before.
    Reduced reduce(const ProcessGroup& group, const ControlFlags& flags);

    // For ranks that continue in another group.
    // Steps of the last reductions, still held: the rank that should have reported them may be gone.
    std::size_t kept() const;
    // The sums of all steps that are held, double [kept() + size(), width] on the CPU; the newest last.
    torch::Tensor held() const;
    // Makes the window one of the newest `open` steps of `held`, and keeps the others; and sets target().
    void reopen(const torch::Tensor& held, std::int64_t open, std::size_t target);

private:
    void keep(const torch::Tensor& steps, std::size_t windows);

    std::int64_t m_width;
    bool m_ownSums;
    std::vector<torch::Tensor> m_sums; // of each step
    std::deque<torch::Tensor> m_kept;  // of the last reductions, [steps, width] each
    StepTimes m_times;
    std::size_t m_target = 1;
};

} // namespace trainyard::train
