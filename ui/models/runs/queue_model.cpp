// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/queue_model.h"

#include "ui/models/text/engine_text.h"
#include "ui/models/text/format.h"

#include <algorithm>

namespace trainyard::ui {

QueueModel::QueueModel(QObject* parent) : QAbstractListModel(parent) {}

int QueueModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant QueueModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const QString name = QString::fromStdString(row.entry.name);
    switch (role) {
    case Qt::DisplayRole: return name;
    case PlaceRole: return row.refused() ? 0 : index.row() + 1;
    case ReasonRole: {
        const QString first = row.reason.section(QLatin1Char('\n'), 0, 0);
        return row.sweep ? tr("Sweep · %1").arg(first) : first;
    }
    case RefusedRole: return row.refused();
    case SweepRole: return row.sweep;
    case Qt::ToolTipRole: return QString(name + QLatin1Char('\n') + row.reason);
    case Qt::AccessibleTextRole: {
        const QString what = row.sweep ? tr("Sweep %1").arg(name) : name;
        return row.refused() ? tr("%1: %2").arg(what, row.reason)
                             : tr("%1, %2 in line: %3").arg(what, ordinalText(index.row() + 1), row.reason);
    }
    default: return {};
    }
}

int QueueModel::rowOf(std::int64_t entry) const {
    const auto at =
        std::find_if(m_rows.begin(), m_rows.end(), [entry](const Row& row) { return row.entry.id == entry; });
    return at == m_rows.end() ? -1 : static_cast<int>(at - m_rows.begin());
}

void QueueModel::setQueue(const queue::QueueView& queue) {
    std::vector<Row> rows;
    for (const auto& entry : queue.waiting)
        rows.push_back({entry.row, sentence(engineSentence(queue::describe(entry))), queue::isSweep(entry.row)});
    for (const auto& row : queue.refused)
        rows.push_back({row, tr("Refused: %1").arg(QString::fromStdString(row.error.text())), queue::isSweep(row)});
    for (int at = rowCount(); at-- > 0;) {
        const auto id = m_rows[static_cast<std::size_t>(at)].entry.id;
        if (std::any_of(rows.begin(), rows.end(), [id](const Row& row) { return row.entry.id == id; })) continue;
        beginRemoveRows({}, at, at);
        m_rows.erase(m_rows.begin() + at);
        endRemoveRows();
    }
    for (int at = 0; at < static_cast<int>(rows.size()); ++at) {
        const int before = rowOf(rows[static_cast<std::size_t>(at)].entry.id);
        if (before >= 0) {
            move(before, at);
            m_rows[static_cast<std::size_t>(at)] = std::move(rows[static_cast<std::size_t>(at)]);
            continue;
        }
        beginInsertRows({}, at, at);
        m_rows.insert(m_rows.begin() + at, std::move(rows[static_cast<std::size_t>(at)]));
        endInsertRows();
    }
    if (!m_rows.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

void QueueModel::move(int from, int to) {
    if (from == to || !beginMoveRows({}, from, from, {}, to > from ? to + 1 : to)) return;
    Row row = std::move(m_rows[static_cast<std::size_t>(from)]);
    m_rows.erase(m_rows.begin() + from);
    m_rows.insert(m_rows.begin() + to, std::move(row));
    endMoveRows();
}

int QueueModel::waiting() const {
    return static_cast<int>(std::count_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return !row.refused(); }));
}

const store::QueueRow* QueueModel::entry(const QModelIndex& index) const {
    return index.isValid() ? &m_rows[static_cast<std::size_t>(index.row())].entry : nullptr;
}

} // namespace trainyard::ui
