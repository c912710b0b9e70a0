// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/workbench.h"
#include "ui/pages/runs/curves/chart_desk.h"
#include "ui/plots/canvas/plot_group.h"
#include "ui/widgets/layout.h"

#include <QTimer>

class QScrollArea;
class QStackedWidget;

namespace trainyard::ui {

class ChartBar;
class ChartBoard;
class CurvesToolbar;
class EmptyPage;
class MetricCard;
class OverviewStrip;
class RunLegend;

// The curves of the selected runs: the charts of the layout that have points, one x for all.
class CurvesView : public QWidget {
    Q_OBJECT
public:
    explicit CurvesView(Workbench& bench, QWidget* parent = nullptr);

    PlotGroup& group() { return m_group; }
    const ChartDesk& desk() const { return m_desk; }
    void exportMenu(const QPoint& globalPosition);
    void saveState() const; // saves pending changes at once

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void build();
    void connectFeed();
    void connectGroup();
    void connectBoard();
    void connectViews();
    void keepZoom();
    void showSelection();
    void showCharts();
    void showEmpty(const QList<ChartCard>& withPoints);
    void showViews();
    void applyView(const QString& name);
    void setView(const QString& name, const ChartView& view);
    ChartView shownView() const;
    void setZoom(const ChartZoom& zoom);
    void restoreZoom();
    void saveZoom() const;
    void showChecklist();
    void showLiveEnds();
    void showSteering();
    void showEvents(const QString& run);
    RunItemPtr leadingRun() const; // the current run if it is drawn, else the first drawn one; null: none
    bool isWaiting() const;        // for the first points
    bool hasPoints(const MetricCard& card) const;
    void showSeries(const QString& run, const QString& series);
    void startStrip(); // fills the strip soon
    void refreshStrip();
    void showRange(); // in the strip
    void openMenu(const QString& chart, const QPoint& position);

    Workbench& m_bench;
    ChartDesk m_desk;
    PlotGroup m_group;
    CurvesToolbar* m_toolbar;
    ChartBar* m_bar;
    QStackedWidget* m_stack; // the board, or the message in its place
    QScrollArea* m_scroll;
    ChartBoard* m_board;
    EmptyPage* m_empty;
    RunLegend* m_legend;
    OverviewStrip* m_strip;
    QStringList m_drawn;
    QSet<QString> m_series; // that have points
    QString m_view;         // the chosen one; empty: the standard one
    QTimer m_stripTimer, m_zoomTimer;
};

} // namespace trainyard::ui
