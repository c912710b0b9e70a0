// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/runs/run_filter.h"
#include "ui/models/runs/runs_tree.h"

#include <QAbstractItemModel>

#include <array>
#include <optional>

namespace trainyard::ui {

// The runs under headings: by status (Running, Queued, Finished, Stopped, Interrupted, Failed), with trials folded
// under their sweep; by a setting; or by configuration over seeds, with mean and spread. Newest first, or sorted by a
// column. There are no empty headings. Changes move, add and remove single rows, so that views keep their place; a
// filter, another order, or more than kMostMoves changes at once reset the model. GUI thread.
class RunsModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role {
        RunIdRole = Qt::UserRole + 1,
        IsGroupRole,
        CountRole,
        IsSweepRole,
        KeyRole,
        GroupColorRole, // a RunColor; of a group by setting or configuration
        ScoreSeriesRole // what the score beside it is, where the header cannot say it for all
    };
    enum Group { Running, Queued, Interrupted, Finished, Stopped, Failed, GroupCount };

    using QAbstractItemModel::QAbstractItemModel;

    static constexpr std::size_t kMostMoves = 500;

    void apply(const RunsDelta& delta);
    void setFilter(const RunFilter& filter);
    // The sweeps whose trials are folded. Trials of other sweeps stand alone.
    void setSweeps(const std::vector<store::SweepRow>& sweeps);
    void setColumns(const QList<RunColumn>& columns);
    void setGrouping(const RunGrouping& grouping);
    // By a column; negative: newest first.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;
    // Repaints a run's row after live progress.
    void touch(const QString& run);

    const QList<RunColumn>& columns() const { return m_columns; }
    const RunGrouping& grouping() const { return m_grouping; }
    const run::FilterNames& names() const { return m_names.names(); }
    // The settings in which the runs differ.
    QStringList differingSettings() const;
    // The common score of all shown runs; empty if they have none.
    const QString& scoreSeries() const;
    bool isScoreMixed() const { return !m_nodes.isEmpty() && scoreSeries().isEmpty(); }

    QModelIndex indexOf(const QString& run) const;
    RunItemPtr item(const QModelIndex& index) const; // null for a heading
    QStringList runsBelow(const QModelIndex& heading) const;
    // In their order in the table; none while it is grouped by status.
    std::vector<RunGroup> groups() const;
    const QHash<QString, RunItemPtr>& runs() const { return m_all; } // by id, also those that do not pass the filter
    int shown() const { return static_cast<int>(m_nodes.size()); }   // runs that pass the filter
    int all() const { return static_cast<int>(m_all.size()); }
    static QString groupTitle(Group group);
    static Group groupOf(const RunItem& run);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct SweepInfo {
        QString name;
        wire::RunStatus status;
        std::int64_t madeMs;
        bool operator==(const SweepInfo&) const = default;
    };
    // Headings during a rebuild: by status, and by their keys.
    struct Homes {
        std::array<RunNode*, GroupCount> groups{};
        QHash<QString, RunNode*> others;
    };
    bool isGrouped() const { return m_grouping.by != RunGrouping::By::Status; }
    void take(const RunsDelta& delta);
    void reset();
    void findGroups();
    bool changesGroups(const RunItem& run) const;
    RunHeading headingOfGroup(const RunItem& run) const;
    RunNode* homeOf(const RunItem& run, Homes& homes);
    void insert(const RunItemPtr& run);
    void remove(const QString& run);
    void remove(RunNode& node);
    std::vector<RunHeading> headingsOf(const RunItem& run) const; // outermost first
    RunNode* headingNode(RunNode& parent, const RunHeading& heading) const;
    RunNode* insertNode(RunNode& parent, std::unique_ptr<RunNode> node);
    bool staysInPlace(const RunNode& node) const;
    void forgetStats(RunNode& heading);
    void sortBelow(RunNode& node);
    const RunNode* nodeOf(const QModelIndex& index) const;
    QModelIndex indexOf(const RunNode& node, int column = 0) const;
    QVariant runData(const RunItem& run, int column, int role) const;
    QVariant headingData(const RunNode& node, int column, int role) const;
    QString headingText(const RunNode& node, int column) const;
    QString scoreSeriesOf(const RunNode& node, int column) const;
    void rowChanged(const RunNode& node);

    QHash<QString, RunItemPtr> m_all;
    QHash<QString, RunNode*> m_nodes; // the runs that pass the filter
    QHash<QString, SweepInfo> m_sweeps;
    RunFilter m_filter;
    RunNames m_names;
    RunGrouping m_grouping;
    QHash<QString, RunGroup> m_groups; // by their keys, without runs
    GroupColors m_colors;
    mutable std::optional<QString> m_score; // common to all; nothing: to be found again
    QList<RunColumn> m_columns = standardColumns();
    RunOrder m_order;
    RunNode m_root;
};

} // namespace trainyard::ui
