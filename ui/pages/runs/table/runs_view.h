// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/runs_model.h"
#include "ui/models/workbench.h"

#include <QTimer>
#include <QTreeView>

class QMenu;

namespace trainyard::ui {

// The table of runs itself: its columns, their order and widths, what it is sorted and grouped by, all of which a
// workspace remembers; and which headings are open. Groups by status are open to begin with, sweeps only while a filter
// is on.
class RunsView : public QTreeView {
    Q_OBJECT
public:
    RunsView(Workbench& bench, RunsModel& model, QWidget* parent = nullptr);

    void setFiltered(bool filtered);
    void setColumns(const QList<RunColumn>& columns);
    void setGrouping(const RunGrouping& grouping);
    // Opens or folds a heading.
    void toggle(const QModelIndex& heading);
    // What can be shown, checked where it is; and what the runs can be grouped by.
    void fillColumnMenu(QMenu& menu);
    void fillGroupMenu(QMenu& menu);

public Q_SLOTS:
    void selectAll() override; // also the runs below folded headings
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
    void addColumnEntry(QMenu& menu, const RunColumn& column, const QString& text = {});
    QString root() const { return QString::fromStdString(m_bench.feed.workspace().root.string()); }
    bool opensItself(const QModelIndex& heading) const;
    void openHeadings(const QModelIndex& parent, int first, int last);
    void noteToggled(const QModelIndex& heading);

    Workbench& m_bench;
    RunsModel& m_model;
    QSet<QString> m_toggled; // headings that the user opened or folded
    QTimer m_refit;          // once a column is no longer being drawn wider
    bool m_filtered = false, m_opening = false, m_fitting = false;
};

} // namespace trainyard::ui
