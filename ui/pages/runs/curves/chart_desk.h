// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/plots/chart/chart_layout.h"

#include <QObject>

#include <functional>

namespace trainyard::ui {

// The chart layout and the saved views of a workspace, kept in the settings; every change can be undone. GUI thread.
class ChartDesk : public QObject {
    Q_OBJECT
public:
    explicit ChartDesk(Workbench& bench, QObject* parent = nullptr);

    const ChartLayout& layout() const { return m_layout; }
    // Gives each of these series a chart, unless it has one.
    void offer(const QStringList& series);
    // Applies `edit`, which returns whether it changed anything. If so, saves the layout and shows `told` in the status
    // bar, with an undo.
    void change(const QString& told, const std::function<bool(ChartLayout&)>& edit);
    // Replaces the layout without a message. Series that it does not know get charts.
    void replace(const ChartLayout& layout);

    const ChartViews& views() const { return m_views; }
    const ChartView* view(const QString& name) const;
    // Adds the view, or replaces the one of that name.
    void saveView(const QString& name, const ChartView& view);
    // False when another view has the new name.
    bool renameView(const QString& name, const QString& now);
    void removeView(const QString& name);

Q_SIGNALS:
    void layoutChanged();
    void viewsChanged();

private:
    void load();
    void setViews(ChartViews views, const QString& told);
    void keepViews(const ChartViews& views);

    Workbench& m_bench;
    QStringList m_offered; // all series so far
    ChartLayout m_layout;
    ChartViews m_views;
};

// Place of a series among the charts: the four most telling ones first.
int seriesRank(const QString& series);
// Those four.
const QStringList& mainSeries();
// False for the parts of a rank's time, which the timeline shows together.
bool hasChart(const QString& series);

} // namespace trainyard::ui
