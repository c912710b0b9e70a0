// SPDX-License-Identifier: GPL-3.0-or-later
// Views of a sweep's progress: the best score over time, the distribution of scores, and the timeline of the trials.
#pragma once

#include "ui/pages/sweeps/sweep_view.h"

namespace trainyard::ui {

class SegmentedControl;

// Each trial's score and the best one so far, over the trials in the order in which they ended, or over time.
class BestOverTimeView final : public PlotView {
    Q_OBJECT
public:
    explicit BestOverTimeView(const SweepContext& context, QWidget* parent = nullptr);
    QWidget* options() override { return m_options; }

protected:
    void draw() override;

private:
    QWidget* m_options;
    SegmentedControl* m_over;
};

// For each score, the share of trials that score at most that.
class DistributionView final : public PlotView {
    Q_OBJECT
public:
    explicit DistributionView(const SweepContext& context, QWidget* parent = nullptr);

protected:
    void draw() override;
};

// When each trial trained, with one row per trial that ran side by side.
class TimelineView final : public PlotView {
    Q_OBJECT
public:
    explicit TimelineView(const SweepContext& context, QWidget* parent = nullptr);

protected:
    void draw() override;
};

} // namespace trainyard::ui
