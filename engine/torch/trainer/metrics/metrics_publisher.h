// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/averaging/gradient_averager.h"
#include "engine/torch/trainer/learner/step_plan.h"
#include "engine/torch/trainer/metrics/series_report.h"
#include "engine/torch/trainer/metrics/step_sums.h"
#include "engine/torch/trainer/metrics/step_window.h"
#include "engine/torch/trainer/task/task.h"

namespace trainyard::train {

// The numbers of the steps, from the micro-batch to the curve: added up over a step, kept for a window of steps,
// reduced over the ranks, and published by rank 0. The other ranks keep what a new rank 0 would publish once more.
class MetricsPublisher {
public:
    MetricsPublisher(RunReport& report, Progress& progress, double secondsBefore)
        : m_progress(progress), m_series(report, secondsBefore) {}

    // `mayLosePeers`: sums travel with each step, so that a rank that is lost takes none with it.
    void setTask(const Task& task, bool mayLosePeers);
    void beginGroup(const ProcessGroup& group); // no step is in progress
    SeriesReport& series() { return m_series; }
    const SeriesReport& series() const { return m_series; }

    // ---- a step ----
    void beginStep() { m_times = {}; }
    StepTimes& times() { return m_times; } // of the step in progress
    StepSums& sums() { return m_sums; }    // likewise
    void noteNorm(const StepReport& report);
    // The step that leads to `place` is done. `lr`: its learning rate. `publishes`: this is rank 0.
    void endStep(double lr, const StepPlan& plan, const Place& place, bool publishes);
    // The same of a step of the group before, which all ranks had done when a peer was lost.
    void endLostStep(double lr);

    // ---- a window of steps ----
    bool isEmpty() const { return m_window.size() == 0; }
    bool isFull() const { return m_window.size() >= m_window.target(); }
    bool fillsNext() const { return m_window.size() + 1 >= m_window.target(); } // with the step in progress
    void clear();                                                               // the points are void
    // What a reduction tells, and this rank's times of the same steps.
    struct Reduced : StepWindow::Reduced {
        StepTimes times;
        // The first with a loss that is not finite, from 0.
        std::optional<std::int64_t> firstNotFinite() const;
    };
    // Collective. Empties the window, which ends at the present step.
    Reduced reduce(const ProcessGroup& group, StepWindow::ControlFlags flags);
    // Rank 0: one point for each of the first `count` steps of a window that ends at `place`.
    void publishSteps(const Reduced& reduced, std::int64_t count, const StepPlan& plan, const Place& place);
    // Rank 0: the metrics of each step, and one point for all of them where a mean tells enough.
    void publish(const Reduced& reduced, const StepPlan& plan, const Place& place, int worldSize);
    double gradNorm() const { return m_gradNorm; } // of the last step that reported it

    // ---- another group ----
    // What a rank tells the others about its window.
    struct Held {
        std::int64_t open = 0, kept = 0, target = 1; // steps: in the window, reduced before, wanted in a window
        double gradNorm = 0, lastLr = 0;
    };
    Held held() const;
    // Collective: all ranks take over the window of rank `donor`, whose Held is `newest`; the newest `openSteps` of its
    // steps are published once more.
    void share(const ProcessGroup& group, int donor, const Held& newest, std::int64_t openSteps);

private:
    void reportShares(const StepTimes& times);
    void publishTimes(const Reduced& reduced, std::int64_t step, double epoch, int worldSize);

    Progress& m_progress;
    const Task* m_task = nullptr;
    SeriesReport m_series;
    StepSums m_sums; // of the step in progress
    StepWindow m_window;
    StepTimes m_times;             // of the step in progress
    StepTimes m_recentTimes;       // of the last seconds' steps; the older, the less they count
    double m_gradNorm = 0;         // of the last step that reported it
    torch::Tensor m_gradNormLater; // of the last step, where a device still computes it
    double m_lastLr = -1;
    std::int64_t m_lrStep = -1; // last step that the learning rate was published at
};

} // namespace trainyard::train
