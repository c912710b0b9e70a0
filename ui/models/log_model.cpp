// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/log_model.h"

#include "ui/models/format.h"

#include <QDateTime>

#include <algorithm>

namespace trainyard::ui {

namespace {
bool isWarning(const wire::LogLine& line) { return line.level == "warn" || line.level == "warning"; }
bool isError(const wire::LogLine& line) { return line.level == "error" || line.level == "fatal"; }
}  // namespace

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
    Q_EMIT dataChanged(index(0), index(std::max(0, rowCount() - 1)));
}

bool LogModel::passes(const wire::LogLine& line) const {
    if (m_rank != kEveryRank && line.rank != m_rank) return false;
    if (m_level == Errors) return isError(line);
    return m_level == All || isError(line) || isWarning(line);
}

void LogModel::rebuild() {
    beginResetModel();
    m_rows.clear();
    const auto& log = m_feed.log(m_run);
    for (std::size_t i = 0; i < log.size(); ++i) {
        if (passes(log[i])) m_rows.push_back(static_cast<int>(i));
    }
    endResetModel();
}

void LogModel::extend(const QString& run, int count) {
    if (run != m_run) {
        return;
    }
    const auto& log = m_feed.log(m_run);
    std::vector<int> fresh;
    for (std::size_t i = log.size() - static_cast<std::size_t>(count); i < log.size(); ++i) {
        if (passes(log[i])) fresh.push_back(static_cast<int>(i));
    }
    if (!fresh.empty()) {
        const int first = rowCount();
        beginInsertRows({}, first, first + static_cast<int>(fresh.size()) - 1);
        m_rows.insert(m_rows.end(), fresh.begin(), fresh.end());
        endInsertRows();
    }
}

LogModel::Line LogModel::line(int row) const {
    const auto& log = m_feed.log(m_run);
    const auto at = static_cast<std::size_t>(row);
    if (row < 0 || at >= m_rows.size() || static_cast<std::size_t>(m_rows[at]) >= log.size()) {
        return {};
    }
    return {m_rows[at] + 1, &log[static_cast<std::size_t>(m_rows[at])]};
}

int LogModel::count(Level level) const {
    const auto& log = m_feed.log(m_run);
    return static_cast<int>(std::count_if(log.begin(), log.end(), [level](const auto& line) {
        return level == Errors ? isError(line) : level == Warnings ? isWarning(line) : true;
    }));
}

QList<int> LogModel::ranks() const {
    QSet<int> seen;
    for (const auto& line : m_feed.log(m_run)) {
        if (line.rank >= 0) seen.insert(line.rank);
    }
    QList<int> ranks(seen.begin(), seen.end());
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

QList<int> LogModel::hits() const {
    QList<int> rows;
    for (int row = 0; !m_search.isEmpty() && row < rowCount(); ++row) {
        if (QString::fromStdString(line(row).line->text).contains(m_search, Qt::CaseInsensitive)) rows << row;
    }
    return rows;
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    const Line entry = line(index.row());
    if (!entry.line) {
        return {};
    }
    const QString text = QString::fromStdString(entry.line->text);
    if (role == TextRole) {
        const QString time = QDateTime::fromMSecsSinceEpoch(entry.line->wallMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
        const QString rank = entry.line->rank < 0 ? QStringLiteral("-") : QStringLiteral("r%1").arg(entry.line->rank);
        return QStringLiteral("%1 %2 %3 %4").arg(time, rank, QString::fromStdString(entry.line->level), text);
    }
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
        return text;
    }
    return {};
}

}  // namespace trainyard::ui
