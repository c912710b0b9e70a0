// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/evaluation.h"

#include <QAbstractTableModel>

#include <vector>

namespace trainyard::ui {

// Precision and recall of each class, or the error of each column of a regression. Sorted by any column, also after
// each new evaluation; unsorted, in the order of the classes.
class ClassTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { ShareRole = Qt::UserRole + 1 }; // a double from 0 to 1, drawn as a bar; else nothing
    using QAbstractTableModel::QAbstractTableModel;

    void setScores(spec::TaskKind task, const std::vector<run::ClassScore>& scores);
    int classAt(int row) const; // its number in the evaluation; -1: no such row
    int rowOf(int number) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override; // -1: order of the evaluation

private:
    void arrange();

    spec::TaskKind m_task = spec::TaskKind::Classification;
    std::vector<run::ClassScore> m_scores;
    std::vector<int> m_order; // numbers of classes, row by row
    int m_column = -1;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
};

} // namespace trainyard::ui
