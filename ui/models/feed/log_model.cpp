// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/feed/log_model.h"

#include "ui/models/text/format.h"

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
        if (m_runs.contains(run)) rebuild();
    });
}

void LogModel::setRuns(const QStringList& runs) {
    if (runs != m_runs) {
        m_runs = runs;
        m_rank = kEveryRank;
        rebuild();
    }
}

int LogModel::total() const {
    std::size_t lines = 0;
    for (const QString& run : m_runs) lines += m_feed.log(run).size();
    return static_cast<int>(lines);
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

const wire::LogLine& LogModel::lineAt(const Place& place) const {
    return m_feed.log(m_runs[place.run])[static_cast<std::size_t>(place.index)];
}

void LogModel::append(const Place& place) {
    if (hit(lineAt(place))) m_hits << rowCount();
    m_rows.push_back(place);
}

void LogModel::rebuild() {
    beginResetModel();
    m_rows.clear();
    m_hits.clear();
    m_ranks.clear();
    m_warnings = m_errors = 0;
    std::vector<Place> passing;
    for (int run = 0; run < m_runs.size(); ++run) {
        const auto& log = m_feed.log(m_runs[run]);
        for (std::size_t i = 0; i < log.size(); ++i) {
            tally(log[i]);
            if (passes(log[i])) passing.push_back({run, static_cast<int>(i)});
        }
    }
    if (m_runs.size() > 1)
        std::stable_sort(passing.begin(), passing.end(),
                         [this](const Place& a, const Place& b) { return lineAt(a).wallMs < lineAt(b).wallMs; });
    for (const Place& place : passing) append(place);
    endResetModel();
    Q_EMIT talliesChanged();
}

void LogModel::extend(const QString& run, int count) {
    const auto at = static_cast<int>(m_runs.indexOf(run));
    if (at < 0) return;
    const auto& log = m_feed.log(run);
    std::vector<Place> fresh;
    for (std::size_t i = log.size() - static_cast<std::size_t>(count); i < log.size(); ++i) {
        tally(log[i]);
        if (passes(log[i])) fresh.push_back({at, static_cast<int>(i)});
    }
    if (!fresh.empty()) {
        const int first = rowCount();
        beginInsertRows({}, first, first + static_cast<int>(fresh.size()) - 1);
        for (const Place& place : fresh) append(place);
        endInsertRows();
    }
    Q_EMIT talliesChanged();
}

LogModel::Line LogModel::line(int row) const {
    if (row < 0 || row >= rowCount()) return {};
    const Place& place = m_rows[static_cast<std::size_t>(row)];
    if (static_cast<std::size_t>(place.index) >= m_feed.log(m_runs[place.run]).size()) return {};
    return {m_runs[place.run], place.index + 1, &lineAt(place)};
}

int LogModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
    const Line entry = line(index.row());
    if (!entry.line) return {};
    const QString text = QString::fromStdString(entry.line->text);
    const RunItemPtr run = m_runs.size() > 1 ? m_feed.run(entry.run) : nullptr; // a single run needs no name
    if (role == TextRole) {
        const QString time =
            QDateTime::fromMSecsSinceEpoch(entry.line->wallMs).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
        const QString rank = entry.line->rank < 0 ? QStringLiteral("-") : QStringLiteral("r%1").arg(entry.line->rank);
        const QString line =
            QStringLiteral("%1 %2 %3 %4").arg(time, rank, QString::fromStdString(entry.line->level), text);
        return run ? QStringLiteral("%1 %2").arg(run->name, line) : line;
    }
    if (role == Qt::AccessibleTextRole && run) return QStringLiteral("%1: %2").arg(run->name, text);
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) return text;
    return {};
}

} // namespace trainyard::ui
