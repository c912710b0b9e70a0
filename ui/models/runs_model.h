// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/run_filter.h"

#include <QAbstractItemModel>

namespace trainyard::ui {

// The runs in status groups (Running, Queued, Finished, Stopped, Interrupted, Failed), newest first.
// Groups without a run do not exist. What changes moves, adds and removes single rows, so that views keep
// their place; only a filter, or more than kMostMoves changes at once, resets. GUI thread.
class RunsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role { RunIdRole = Qt::UserRole + 1, IsGroupRole, CountRole };
    enum Group { Running, Queued, Interrupted, Finished, Stopped, Failed, GroupCount };

    using QAbstractItemModel::QAbstractItemModel;

    static constexpr std::size_t kMostMoves = 500;

    void apply(const RunsDelta& delta);
    void setFilter(const RunFilter& filter);
    // Repaints one run's row: its live progress changed.
    void touch(const QString& run);

    QModelIndex indexOf(const QString& run) const;
    RunItemPtr item(const QModelIndex& index) const;
    int shown() const; // runs that pass the filter
    static QString groupTitle(Group group);
    static Group groupOf(const RunItem& run);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct GroupRows {
        Group group;
        std::vector<RunItemPtr> runs;
    };
    void reset();
    void insert(const RunItemPtr& run);
    void remove(const QString& run);
    int rowOfGroup(Group group); // made where there is none
    QModelIndex groupIndex(int row) const;

    QHash<QString, RunItemPtr> m_all;
    QHash<QString, Group> m_groupOf; // of the runs that pass the filter
    RunFilter m_filter;
    std::vector<GroupRows> m_groups;
};

} // namespace trainyard::ui
