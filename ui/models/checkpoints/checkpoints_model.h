// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/actions/list_checkpoints.h"

#include <QAbstractTableModel>
#include <QSet>

namespace trainyard::ui {

// The checkpoints of many runs, one in each row, sorted by a column.
class CheckpointsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Run, Checkpoint, Score, Size, Saved, Kept, Host, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    // A row: all checkpoints of a run share the run's part.
    struct Line {
        std::shared_ptr<const run::RunCheckpoints> of;
        store::CheckpointRow row; // its id is negative if the run lives on a host
        bool isHere = true;       // its file is on this computer
        bool isOfHost() const { return row.id < 0; }
        double score() const { return run::scoreOf(row, of->score); }
    };

    // `away`: checkpoints of runs that live on hosts, which RunCheckpoints::host names.
    void setRuns(std::vector<run::RunCheckpoints> runs, std::vector<run::RunCheckpoints> away = {});
    // Only checkpoints of these runs, by id.
    void setShown(const QSet<QString>& runs, bool pinnedOnly);
    const Line* at(int row) const;
    int rowOf(std::int64_t checkpoint) const;                    // -1: it is not shown
    int all() const { return static_cast<int>(m_lines.size()); } // shown or not
    double bytes() const;                                        // of the shown checkpoints
    int runs() const;                                            // with a shown checkpoint

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void choose();

    std::vector<Line> m_lines; // by run, the newest first; oldest checkpoint first
    std::vector<std::size_t> m_rows;
    QSet<QString> m_shown;
    bool m_pinnedOnly = false;
    int m_column = Run;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

// The words of checkpointWords(), translated.
QString keptText(const store::CheckpointRow& row);

} // namespace trainyard::ui
