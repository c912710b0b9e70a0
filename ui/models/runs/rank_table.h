// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/wire/messages.h"
#include "ui/models/runs/rank_timeline.h"

#include <QAbstractTableModel>

namespace trainyard::ui {

// A rank in the table beside its lane: means over a range of time, and its current activity.
struct RankLine {
    int rank = 0;
    TimeShares shares{};
    double cpuPercent = 0, memoryMb = 0; // NaN: not measured
    QString where{};                     // host and device
    QString now{};                       // its activity, or its end
    bool holdsUp = false;                // the others wait for it
};

// The ranks of a run as a table. GUI thread.
class RankTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        RankColumn,
        ComputeColumn,
        CommunicationColumn,
        DataColumn,
        WaitColumn,
        CpuColumn,
        MemoryColumn,
        NowColumn,
        ColumnCount
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setLines(std::vector<RankLine> lines);
    const std::vector<RankLine>& lines() const { return m_lines; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<RankLine> m_lines;
};

// The lines of a run between two times. `workers`: their last known states.
std::vector<RankLine> rankLines(const SeriesStore& store, const QString& run, const std::vector<RankLane>& lanes,
                                const std::vector<wire::WorkerState>& workers, double from, double to);

// The lines in one sentence: which rank the others wait for, and for how long.
QString rankVerdict(const std::vector<RankLine>& lines, const std::vector<RankLane>& lanes);

} // namespace trainyard::ui
