// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/log_model.h"

#include "ui/models/format.h"

#include <QDateTime>

#include <algorithm>

namespace trainyard::ui {

bool isWarning(const wire::LogLine& line) {
    return line.level == "warn" || line.level == "warning" || line.level == store::kNoticeLevel;
}

bool isError(const wire::LogLine& line) { return line.level == "error" || line.level == "fatal"; }

LogModel::LogModel(WorkspaceFeed& feed, QObject* parent) : QAbstractListModel(parent), m_feed(feed) {
    connect(&feed, &WorkspaceFeed::logArrived, this, &LogModel::extend);
    connect(&feed, &WorkspaceFeed::logReset, this, [this](const QString& run) {
        if (run == m_run) rebuild();
    });
}

void LogModel::setRun(const QString& run) {
    if (run != m_run) {
        m_run = run;
        m_rank = kEveryRank;
        rebuild();
    }
}

void LogModel::setLevel(Level level) {
    m_level = level;
    rebuild();
}

void LogModel::setRank(int rank) {
    m_rank = rank;
    rebuild();
}

void LogModel::setSearch(const QString& text) {
    m_search = text;
    m_hits.clear();
    for (int row = 0; !m_search.isEmpty() && row < rowCount(); ++row)
        if (hit(*line(row).line)) m_hits << row;
    Q_EMIT dataChanged(index(0), index(std::max(0, rowCount() - 1)));
}

bool LogModel::passes(const wire::LogLine& line) const {
    if (m_rank != kEveryRank && line.rank != m_rank) return false;
    if (m_level == Errors) return isError(line);
    return m_level == All || isError(line) || isWarning(line);
}

bool LogModel::hit(const wire::LogLine& line) const {
    return !m_search.isEmpty() && QString::fromStdString(line.text).contains(m_search, Qt::CaseInsensitive);
}

void LogModel::tally(const wire::LogLine& line) {
    m_warnings += isWarning(line) ? 1 : 0;
    m_errors += isError(line) ? 1 : 0;
    const auto at = std::lower_bound(m_ranks.begin(), m_ranks.end(), line.rank);
    if (line.rank >= 0 && (at == m_ranks.end() || *at != line.rank)) m_ranks.insert(at, line.rank);
}

void LogModel::append(std::size_t index) {
    if (hit(m_feed.log(m_run)[index])) m_hits << rowCount();
    m_rows.push_back(static_cast<int>(index));
}

void LogModel::rebuild() {
    beginResetModel();
    m_rows.clear();
    m_hits.clear();
    m_ranks.clear();
    m_warnings = m_errors = 0;
    const auto& log = m_feed.log(m_run);
    for (std::size_t i = 0; i < log.size(); ++i) {
        tally(log[i]);
        if (passes(log[i])) append(i);
    }
    endResetModel();
    Q_EMIT talliesChanged();
}

void LogModel::extend(const QString& run, int count) {
    if (run != m_run) return;
    const auto& log = m_feed.log(m_run);
    std::vector<std::size_t> fresh;
    for (std::size_t i = log.size() - static_cast<std::size_t>(count); i < log.size(); ++i) {
        tally(log[i]);
        if (passes(log[i])) fresh.push_back(i);
    }
    if (!fresh.empty()) {
        const int first = rowCount();
        beginInsertRows({}, first, first + static_cast<int>(fresh.size()) - 1);
        for (const std::size_t index : fresh) append(index);
        endInsertRows();
    }
    Q_EMIT talliesChanged();
}

LogModel::Line LogModel::line(int row) const {
    const auto& log = m_feed.log(m_run);
    const auto at = static_cast<std::size_t>(row);
    if (row < 0 || at >= m_rows.size() || static_cast<std::size_t>(m_rows[at]) >= log.size()) return {};
    return {m_rows[at] + 1, &log[static_cast<std::size_t>(m_rows[at])]};
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    const Line entry = line(index.row());
    if (!entry.line) return {};
    const QString text = QString::fromStdString(entry.line->text);
    if (role == TextRole) {
        const QString time =
            QDateTime::fromMSecsSinceEpoch(entry.line->wallMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
        const QString rank = entry.line->rank < 0 ? QStringLiteral("-") : QStringLiteral("r%1").arg(entry.line->rank);
        return QStringLiteral("%1 %2 %3 %4").arg(time, rank, QString::fromStdString(entry.line->level), text);
    }
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) return text;
    return {};
}

} // namespace trainyard::ui
