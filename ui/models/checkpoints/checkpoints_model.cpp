// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/checkpoints/checkpoints_model.h"

#include "engine/run/mirror/mirror_copy.h"
#include "ui/models/checkpoints/checkpoint_list.h"
#include "ui/models/text/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::ui {

namespace {

// The sort key of a column: a number, or the text if all numbers are equal.
std::pair<double, QString> sortKey(const CheckpointsModel::Line& line, int column) {
    switch (column) {
    case CheckpointsModel::Run: return {static_cast<double>(line.of->run.createdMs), QString()};
    case CheckpointsModel::Checkpoint: return {static_cast<double>(line.row.step), QString()};
    case CheckpointsModel::Size: return {static_cast<double>(line.row.bytes), QString()};
    case CheckpointsModel::Saved: return {static_cast<double>(line.row.wallMs), QString()};
    case CheckpointsModel::Kept:
        return {(line.row.pinned ? 4 : 0) + (line.row.best ? 2 : 0) + (line.row.last ? 1 : 0), QString()};
    case CheckpointsModel::Score: { // better scores are greater; no score is the least
        const double score = line.score();
        if (!std::isfinite(score)) return {-INFINITY, QString()};
        return {line.of->score.better == spec::Better::Larger ? score : -score, QString()};
    }
    default: return {0, QString::fromStdString(line.of->host)};
    }
}

} // namespace

QString keptText(const store::CheckpointRow& row) {
    QStringList words;
    if (row.pinned) words << CheckpointsModel::tr("pinned");
    if (row.best) words << CheckpointsModel::tr("best");
    if (row.last) words << CheckpointsModel::tr("last");
    if (row.superseded) words << CheckpointsModel::tr("superseded");
    return words.isEmpty() ? CheckpointsModel::tr("periodic") : words.join(QStringLiteral(", "));
}

namespace {

QString hostText(const CheckpointsModel::Line& line) {
    const QString host = QString::fromStdString(line.of->host);
    if (host.isEmpty()) return CheckpointsModel::tr("this computer");
    return line.isOfHost() && line.isHere ? CheckpointsModel::tr("%1, fetched").arg(host) : host;
}

} // namespace

void CheckpointsModel::setRuns(std::vector<run::RunCheckpoints> runs, std::vector<run::RunCheckpoints> away) {
    beginResetModel();
    m_lines.clear();
    const auto add = [this](std::vector<run::RunCheckpoints>& list, bool ofHost) {
        for (auto& each : list) {
            auto rows = std::exchange(each.rows, {});
            const auto of = std::make_shared<const run::RunCheckpoints>(std::move(each));
            for (auto& row : rows) {
                if (ofHost) row.id = -1 - row.id; // the mirror has ids of its own
                const bool isHere = !ofHost || run::isFetched(row);
                m_lines.push_back({of, std::move(row), isHere});
            }
        }
    };
    add(runs, false);
    add(away, true);
    choose();
    endResetModel();
}

void CheckpointsModel::setShown(const QSet<QString>& runs, bool pinnedOnly) {
    if (runs == m_shown && pinnedOnly == m_pinnedOnly) return;
    beginResetModel();
    m_shown = runs;
    m_pinnedOnly = pinnedOnly;
    choose();
    endResetModel();
}

void CheckpointsModel::choose() {
    m_rows.clear();
    std::vector<std::pair<double, QString>> keys(m_lines.size());
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const Line& line = m_lines[i];
        if (m_pinnedOnly && !line.row.pinned) continue;
        if (!m_shown.contains(QString::fromStdString(line.of->run.id))) continue;
        keys[i] = sortKey(line, m_column);
        m_rows.push_back(i);
    }
    std::stable_sort(m_rows.begin(), m_rows.end(), [&](std::size_t a, std::size_t b) {
        return m_order == Qt::AscendingOrder ? keys[a] < keys[b] : keys[b] < keys[a];
    });
}

const CheckpointsModel::Line* CheckpointsModel::at(int row) const {
    return row >= 0 && row < rowCount() ? &m_lines[m_rows[static_cast<std::size_t>(row)]] : nullptr;
}

int CheckpointsModel::rowOf(std::int64_t checkpoint) const {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [&](std::size_t at) { return m_lines[at].row.id == checkpoint; });
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

double CheckpointsModel::bytes() const {
    double bytes = 0;
    for (const std::size_t at : m_rows) bytes += static_cast<double>(m_lines[at].row.bytes);
    return bytes;
}

int CheckpointsModel::runs() const {
    QSet<const void*> runs;
    for (const std::size_t at : m_rows) runs.insert(m_lines[at].of.get());
    return static_cast<int>(runs.size());
}

int CheckpointsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CheckpointsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant CheckpointsModel::data(const QModelIndex& index, int role) const {
    const Line* line = at(index.row());
    if (!line) return {};
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return int((column == Score || column == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        if (column == Score && std::isfinite(line->score()))
            return QStringLiteral("%1  %2").arg(seriesTitle(QString::fromStdString(line->of->score.series)),
                                                exactText(line->score()));
        if (!line->isHere) return tr("on %1; fetch it from the menu").arg(QString::fromStdString(line->of->host));
        return QString::fromStdString(line->row.path);
    }
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case Run: return QString::fromStdString(line->of->run.name);
    case Checkpoint: {
        const QString step = tr("step %1").arg(countText(static_cast<double>(line->row.step)));
        const QString title = checkpointTitle(line->row);
        return title.compare(step, Qt::CaseInsensitive) == 0 ? title : QStringLiteral("%1, %2").arg(title, step);
    }
    case Score: return metricText(line->score());
    case Size: return bytesText(static_cast<double>(line->row.bytes));
    case Saved: return clockText(line->row.wallMs);
    case Kept: return keptText(line->row);
    case Host: return hostText(*line);
    default: return {};
    }
}

QVariant CheckpointsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Score || section == Size ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const std::array titles{tr("Run"),   tr("Checkpoint"), tr("Score"), tr("Size"),
                            tr("Saved"), tr("Kept as"),    tr("Host")};
    return role == Qt::DisplayRole ? QVariant(titles[static_cast<std::size_t>(section)]) : QVariant();
}

void CheckpointsModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    m_column = column;
    m_order = order;
    choose();
    endResetModel();
}

} // namespace trainyard::ui
