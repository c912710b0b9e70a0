// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/rank_table.h"
#include "ui/models/workbench.h"

#include <QTimer>

class QStackedLayout;
class QTableView;

namespace trainyard::ui {

class EmptyPage;
class Label;
class Plot;

// How each rank of the current run spends its time: lanes over time, the rank that the others wait for, and a table of
// means over the visible part of the lanes.
class RankTimelineView : public QWidget {
    Q_OBJECT
public:
    explicit RankTimelineView(Workbench& bench, QWidget* parent = nullptr);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void build();
    QWidget* buildHeader();
    void listen();
    void refresh();
    void showRange(); // updates the table and the verdict
    void showEmpty(const RunItemPtr& run);
    std::pair<double, double> range() const;

    Workbench& m_bench;
    QStackedLayout* m_stack;
    EmptyPage* m_empty;
    Plot* m_plot;
    Label *m_verdict, *m_rangeNote;
    QTableView* m_view;
    RankTable m_table;
    std::vector<RankLane> m_lanes;
    QString m_run;
    QTimer m_timer;
};

} // namespace trainyard::ui
