// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/run_grouping.h"
#include "ui/pages/sweeps/sweep_view.h"
#include "ui/plots/canvas/curve_style.h"
#include "ui/plots/canvas/plot_group.h"

class QComboBox;

namespace trainyard::ui {

class MetricCard;
class RunLegend;

// The score of each trial over its training, or the mean of those with the same value of a parameter, or the same
// configuration.
class TrialCurves final : public SweepView {
    Q_OBJECT
public:
    explicit TrialCurves(const SweepContext& context, QWidget* parent = nullptr);
    ChartWidget* chart() const override;
    QWidget* options() override;
    void restart() override { m_group.fit(); }
    // More curves would be unreadable, and each loads a run's points.
    static constexpr int kMostDrawn = 100;

protected:
    void draw() override;

private:
    void makeCard(const QString& series);
    void offerGroups();
    void colorGroups();
    void showNote(std::size_t drawn);
    void showCurves(const QList<CurveStyle>& curves);
    QList<CurveStyle> curves();
    bool isGrouped() const;

    PlotGroup m_group;
    GroupColors m_colors;
    QComboBox* m_groupBy;
    int m_offeredFor = -1; // the revision of the trials whose groups are offered
    RunLegend* m_legend;
    MetricCard* m_card = nullptr;
};

} // namespace trainyard::ui
