// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/start/scaling.h"

#include <QAbstractTableModel>

namespace trainyard::ui {

// The scaling card of a run as a table: a row for each number of workers, measured or not. GUI thread.
class ScalingTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        WorkersColumn,
        SpeedColumn,
        SpeedUpColumn,
        EfficiencyColumn,
        ComputeColumn,
        CommunicationColumn,
        DataColumn,
        LimitColumn,
        StragglerColumn,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;
    // All numbers of workers to measure, and the points of the first of them.
    void setCounts(std::vector<int> counts);
    void setCard(std::vector<run::ScalingPoint> card);
    const std::vector<run::ScalingPoint>& card() const { return m_card; }
    void setRecommended(int workers); // 0: none

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString textOf(const run::ScalingPoint& point, int column) const;

    std::vector<int> m_counts;
    std::vector<run::ScalingPoint> m_card;
    int m_recommended = 0;
};

} // namespace trainyard::ui
