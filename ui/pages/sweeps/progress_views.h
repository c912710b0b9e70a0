// SPDX-License-Identifier: GPL-3.0-or-later
// Views of how a sweep went: what the best score was when, how scores are distributed, and what ran when.
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

// The share of trials whose score is at most that large.
class DistributionView final : public PlotView {
    Q_OBJECT
public:
    explicit DistributionView(const SweepContext& context, QWidget* parent = nullptr);

protected:
    void draw() override;
};

// When each trial trained, in as many rows as trained side by side.
class TimelineView final : public PlotView {
    Q_OBJECT
public:
    explicit TimelineView(const SweepContext& context, QWidget* parent = nullptr);

protected:
    void draw() override;
};

} // namespace trainyard::ui
