// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/rank_table.h"

#include "engine/run/record/series/system_series.h"
#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

namespace {

constexpr double kSilentIntervals = 3; // the others have sent this many points since
constexpr double kMega = 1e6;

struct RankWords {
    Q_DECLARE_TR_FUNCTIONS(RankTable)
};

QString percentOf(double share) { return percentText(share); }

double lastOf(const SeriesStore& store, const QString& run, int rank, std::string_view what) {
    const SeriesData* points = store.find(run, QString::fromStdString(run::rankSeries(rank, what)));
    return points == nullptr || points->isEmpty() ? std::nan("") : points->value(points->size() - 1);
}

// Its main activity, except waiting.
TimePart mainPart(const RankLine& line) {
    TimePart most = TimePart::Compute;
    for (const TimePart part : {TimePart::Data, TimePart::Communication})
        if (shareOf(line.shares, part) > shareOf(line.shares, most)) most = part;
    return most;
}

} // namespace

void RankTable::setLines(std::vector<RankLine> lines) {
    const bool same = lines.size() == m_lines.size();
    if (!same) beginResetModel(); // without a reset, the focus stays
    m_lines = std::move(lines);
    if (!same) endResetModel();
    else if (!m_lines.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int RankTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int RankTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant RankTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const RankLine& line = m_lines[static_cast<std::size_t>(index.row())];
    const bool number = index.column() >= ComputeColumn && index.column() <= MemoryColumn;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole && index.column() == RankColumn) return line.where;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const auto share = [&](TimePart part) { return percentOf(static_cast<double>(shareOf(line.shares, part))); };
    switch (index.column()) {
    case RankColumn: return line.holdsUp ? tr("rank %1, holds up").arg(line.rank) : tr("rank %1").arg(line.rank);
    case ComputeColumn: return share(TimePart::Compute);
    case CommunicationColumn: return share(TimePart::Communication);
    case DataColumn: return share(TimePart::Data);
    case WaitColumn: return share(TimePart::Wait);
    case CpuColumn: return std::isnan(line.cpuPercent) ? kNoValue : percentOf(line.cpuPercent / 100);
    case MemoryColumn: return std::isnan(line.memoryMb) ? kNoValue : bytesText(line.memoryMb * kMega);
    case NowColumn: return line.now;
    default: return {};
    }
}

QVariant RankTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const bool number = section >= ComputeColumn && section <= MemoryColumn;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole && section == CpuColumn) return tr("100% is one core; over the last second");
    if (role == Qt::ToolTipRole && section == WaitColumn)
        return tr("Time lost waiting: in collectives, beyond the rank that spends least there, and while regrouping");
    if (role != Qt::DisplayRole) return {};
    const QStringList titles{tr("Rank"), tr("Compute"), tr("Comm."),  tr("Data"),
                             tr("Wait"), tr("CPU"),     tr("Memory"), tr("Now in")};
    return titles.value(section);
}

std::vector<RankLine> rankLines(const SeriesStore& store, const QString& run, const std::vector<RankLane>& lanes,
                                const std::vector<wire::WorkerState>& workers, double from, double to) {
    const auto straggler = stragglerBetween(lanes, from, to);
    std::vector<RankLine> lines;
    for (const RankLane& lane : lanes) {
        RankLine line{.rank = lane.rank, .shares = meanShares(lane, from, to)};
        line.cpuPercent = lastOf(store, run, lane.rank, run::kCpuPercent);
        line.memoryMb = lastOf(store, run, lane.rank, run::kMemoryMb);
        line.holdsUp = straggler && straggler->rank == lane.rank;
        const auto worker =
            std::find_if(workers.begin(), workers.end(), [&](const auto& each) { return each.rank == lane.rank; });
        if (worker != workers.end()) {
            line.where =
                QString::fromStdString(worker->host.empty() ? worker->device : worker->host + ", " + worker->device);
            line.now = activityText(*worker);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

QString rankVerdict(const std::vector<RankLine>& lines, const std::vector<RankLane>& lanes) {
    const auto held = std::find_if(lines.begin(), lines.end(), [](const RankLine& line) { return line.holdsUp; });
    if (lines.size() < 2) return RankWords::tr("A single rank waits for no other.");
    if (held == lines.end()) return RankWords::tr("No rank holds up the others.");
    double lost = 0;
    for (const RankLine& line : lines)
        if (!line.holdsUp) lost += static_cast<double>(shareOf(line.shares, TimePart::Wait));
    const QString percent = percentOf(lost / static_cast<double>(lines.size() - 1));
    const double end = endOf(lanes);
    for (const RankLane& lane : lanes) {
        if (lane.rank != held->rank || lane.spans.empty()) continue;
        const double silent = end - lane.spans.back().to;
        if (silent > kSilentIntervals * run::systemInterval(end, lanes.size()))
            return RankWords::tr("Rank %1 has been silent for %2; the others are waiting for it.")
                .arg(held->rank)
                .arg(durationText(silent));
    }
    return RankWords::tr("The others wait for rank %1 (%2 %3): it costs them %4 of their time.")
        .arg(held->rank)
        .arg(timePartName(mainPart(*held)), percentOf(static_cast<double>(shareOf(held->shares, mainPart(*held)))),
             percent);
}

} // namespace trainyard::ui
