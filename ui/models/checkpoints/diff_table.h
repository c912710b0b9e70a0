// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/actions/diff_checkpoints.h"

#include <QAbstractTableModel>

namespace trainyard::ui {

// The tensors of two checkpoints, those that moved furthest first.
class DiffTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, Shape, Changed, Norm, NormAfter, Relative, Greatest, Distribution, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;

    void setDiff(run::CheckpointDiff diff);
    // Shows only names with all of these words; `withSame`: equal tensors, too.
    void setFilter(const QString& words, bool withSame);
    const run::CheckpointDiff& diff() const { return m_diff; }
    const run::TensorDiff* at(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void choose();

    run::CheckpointDiff m_diff;
    std::vector<std::size_t> m_rows;
    QString m_words;
    bool m_withSame = false;
    int m_column = Relative;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace trainyard::ui
