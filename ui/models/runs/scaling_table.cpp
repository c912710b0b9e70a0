// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/scaling_table.h"

#include "ui/models/runs/run_column.h"
#include "ui/models/text/format.h"
#include "ui/theme/theme.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

QString shareText(double share) { return percentText(share); }

} // namespace

void ScalingTable::setCounts(std::vector<int> counts) {
    beginResetModel();
    m_counts = std::move(counts);
    m_card.clear();
    m_recommended = 0;
    endResetModel();
}

void ScalingTable::setCard(std::vector<run::ScalingPoint> card) {
    m_card = std::move(card);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void ScalingTable::setRecommended(int workers) {
    m_recommended = workers;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0));
}

int ScalingTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_counts.size());
}

int ScalingTable::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QString ScalingTable::textOf(const run::ScalingPoint& point, int column) const {
    const auto& times = point.times;
    switch (column) {
    case SpeedColumn: return countText(times.samplesPerSecond);
    case SpeedUpColumn: return QStringLiteral("%1×").arg(fixedText(point.speedUp, 2));
    case EfficiencyColumn: return shareText(point.efficiency);
    case ComputeColumn: return shareText(std::max(0.0, 1 - times.share("comm") - times.share("data")));
    case CommunicationColumn: return shareText(times.share("comm"));
    case DataColumn: return shareText(times.share("data"));
    case LimitColumn: return QString::fromStdString(point.binds);
    case StragglerColumn: return point.straggler.empty() ? kNoValue : QString::fromStdString(point.straggler);
    default: return {};
    }
}

QVariant ScalingTable::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto row = static_cast<std::size_t>(index.row());
    const bool measured = row < m_card.size();
    if (role == Qt::TextAlignmentRole)
        return int((index.column() < LimitColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole) return measured ? Theme::current().text : Theme::current().text3;
    if (role == Qt::FontRole && m_counts[row] == m_recommended) return Theme::current().heading;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (index.column() == WorkersColumn)
        return m_counts[row] == m_recommended ? tr("%1 ✓").arg(m_counts[row]) : QString::number(m_counts[row]);
    return measured ? textOf(m_card[row], index.column()) : kNoValue;
}

QVariant ScalingTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section < LimitColumn ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    const QString workers = columnTitle({.kind = RunColumn::Kind::Workers}); // as the runs table names them
    const QString speed = columnTitle({.kind = RunColumn::Kind::Speed});
    const QStringList titles{workers,     speed,      tr("Speed-up"), tr("Efficiency"), tr("Compute"),
                             tr("Comm."), tr("Data"), tr("Limit"),    tr("Straggler")};
    return titles.value(section);
}

} // namespace trainyard::ui
