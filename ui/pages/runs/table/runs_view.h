// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/runs_model.h"
#include "ui/models/workbench.h"

#include <QTimer>
#include <QTreeView>

namespace trainyard::ui {

class ChoicePicker;

// The table of runs itself: its columns, their order and widths, sorting and grouping, which the workspace remembers;
// and the open headings. Groups by status start open; sweeps open only while a filter is on.
class RunsView : public QTreeView {
    Q_OBJECT
public:
    RunsView(Workbench& bench, RunsModel& model, QWidget* parent = nullptr);

    void setFiltered(bool filtered);
    void setColumns(const QList<RunColumn>& columns);
    void setGrouping(const RunGrouping& grouping);
    // Opens or folds a heading.
    void toggle(const QModelIndex& heading);
    // Offer the columns, with those shown checked; and what the runs can be grouped by. Not open yet.
    ChoicePicker* columnPicker();
    ChoicePicker* groupPicker();

public Q_SLOTS:
    void selectAll() override; // including runs below folded headings
    void dataChanged(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles = {}) override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildHeader();
    void restoreOrder();
    void saveOrder(int column, Qt::SortOrder order) const;
    void saveColumns() const;
    void fitColumns();
    void columnMoved();
    void addRuns(const QModelIndex& heading, QItemSelection& selection) const;
    void columnResized(int column, int width);
    void headerMenu(const QPoint& position);
    QString root() const { return QString::fromStdString(m_bench.feed.workspace().root.string()); }
    bool opensItself(const QModelIndex& heading) const;
    void openHeadings(const QModelIndex& parent, int first, int last);
    void noteToggled(const QModelIndex& heading);

    Workbench& m_bench;
    RunsModel& m_model;
    QSet<QString> m_toggled;  // headings that the user opened or folded
    QTimer m_refit;           // until the user has finished resizing a column
    bool m_hasActive = false; // a run trains, starts or waits
    bool m_filtered = false, m_opening = false, m_fitting = false;
};

} // namespace trainyard::ui
