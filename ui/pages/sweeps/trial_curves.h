// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/sweeps/sweep_view.h"
#include "ui/plots/canvas/plot_group.h"

namespace trainyard::ui {

class MetricCard;

// The score of each trial over its training.
class TrialCurves final : public SweepView {
    Q_OBJECT
public:
    explicit TrialCurves(const SweepContext& context, QWidget* parent = nullptr);
    ChartWidget* chart() const override;
    void restart() override { m_group.fit(); }
    // More curves would be unreadable, and each loads a run's points.
    static constexpr int kMostDrawn = 100;

protected:
    void draw() override;

private:
    void makeCard(const QString& series);

    PlotGroup m_group;
    MetricCard* m_card = nullptr;
};

} // namespace trainyard::ui
