// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/sweeps/trials_model.h"

#include "engine/sweep/results/sweep_analysis.h"
#include "ui/models/text/format.h"
#include "ui/theme/theme.h"

#include <QScopeGuard>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::ui {

namespace {

// A trial's number, unless the user renamed it: all names of a sweep's trials begin with the sweep's name, which leaves
// no room for the part that differs.
QString shortName(const RunItem& run) {
    const QString number = QString::number(run.row.trial);
    return run.name.endsWith(QLatin1Char('-') + number) ? number : run.name;
}

} // namespace

TrialsModel::TrialsModel(WorkspaceFeed& feed, const TrialList& trials, const TrialFilter& filter, QObject* parent)
    : QAbstractTableModel(parent), m_feed(feed), m_trials(trials), m_filter(filter) {
    connect(&filter, &TrialFilter::changed, this, &TrialsModel::refresh); // also emitted when the list changes
    refresh();
}

double TrialsModel::sortValue(const Trial& trial, int column) const {
    if (column == Number) return trial.run->row.trial;
    if (column == Score) return trial.score;
    if (isSecond(column)) return trial.second;
    if (isAxis(column)) return trial.number(axisAt(column));
    return column == statusColumn() + 1 ? trial.run->row.epoch : trial.run->row.trainSeconds;
}

Qt::SortOrder TrialsModel::bestFirst() const {
    return m_trials.better() == spec::Better::Larger ? Qt::DescendingOrder : Qt::AscendingOrder;
}

// Sorts the rows; equal ones stay in the list's own order, the rank.
std::vector<int> TrialsModel::arranged() const {
    const auto& trials = m_trials.trials();
    std::vector<int> rows;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (m_filter.keeps(i)) rows.push_back(static_cast<int>(i));
    const bool down = m_order == Qt::DescendingOrder;
    if (m_column < 0 || (m_column == Score && m_second.isEmpty() && m_order == bestFirst())) return rows;
    const bool words = m_column == statusColumn() ||
                       (isAxis(m_column) && std::any_of(rows.begin(), rows.end(), [&](int row) {
                            return std::isnan(sortValue(trials[static_cast<std::size_t>(row)], m_column));
                        }));
    struct Key {
        double number = 0;
        QString text;
    };
    std::vector<Key> keys(trials.size());
    for (const int row : rows) {
        const auto at = static_cast<std::size_t>(row);
        if (words) keys[at].text = text(trials[at], m_column);
        else keys[at].number = sortValue(trials[at], m_column);
    }
    const auto less = [&](int a, int b) {
        const Key &left = keys[static_cast<std::size_t>(a)], &right = keys[static_cast<std::size_t>(b)];
        return words ? left.text < right.text : left.number < right.number;
    };
    const auto unknown = [&](int row) { return !words && std::isnan(keys[static_cast<std::size_t>(row)].number); };
    const auto known = std::stable_partition(rows.begin(), rows.end(), [&](int row) { return !unknown(row); });
    std::stable_sort(rows.begin(), known, [&](int a, int b) { return down ? less(b, a) : less(a, b); });
    return rows;
}

std::vector<QString> TrialsModel::idsOf(const std::vector<int>& rows) const {
    std::vector<QString> ids;
    for (const int row : rows) ids.push_back(m_trials.trials()[static_cast<std::size_t>(row)].run->id);
    return ids;
}

// Rows that are shown come first, as they stand; the new ones follow in their order.
void TrialsModel::keepPlaces(std::vector<int>& rows) const {
    QHash<QString, int> places;
    for (const QString& id : m_ids) places.insert(id, static_cast<int>(places.size()));
    const auto placeOf = [&](int row) {
        return places.value(m_trials.trials()[static_cast<std::size_t>(row)].run->id, static_cast<int>(places.size()));
    };
    std::stable_sort(rows.begin(), rows.end(), [&](int a, int b) { return placeOf(a) < placeOf(b); });
}

void TrialsModel::setOrderKept(bool on) {
    if (std::exchange(m_kept, on) != on && m_paused) refresh();
}

void TrialsModel::refresh() {
    std::vector<std::string> axes;
    for (const auto& axis : m_trials.axes()) axes.push_back(axis.path);
    const bool sameColumns = axes == m_axes && m_second == m_trials.secondSeries() && m_better == m_trials.better();
    std::vector<int> rows;
    std::vector<QString> ids;
    bool paused = false;
    const auto arrange = [&] {
        rows = arranged();
        ids = idsOf(rows);
        if (!m_kept || !sameColumns) return;
        keepPlaces(rows);
        paused = ids != idsOf(rows);
        ids = idsOf(rows);
    };
    const auto tellPaused = qScopeGuard([&] {
        if (std::exchange(m_paused, paused) != paused) Q_EMIT orderPausedChanged(paused);
    });
    if (sameColumns) {
        arrange();
        if (ids == m_ids) { // the same trials in the same places
            m_rows = std::move(rows);
            if (!m_rows.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            return;
        }
    }
    beginResetModel();
    m_axes = std::move(axes);
    m_second = m_trials.secondSeries();
    m_better = m_trials.better();
    if (!sameColumns) { // the best first
        m_column = m_second.isEmpty() ? int(Score) : -1;
        m_order = m_second.isEmpty() ? bestFirst() : Qt::AscendingOrder;
        arrange();
    }
    m_rows = std::move(rows);
    m_ids = std::move(ids);
    endResetModel();
}

void TrialsModel::sort(int column, Qt::SortOrder order) {
    if (column == m_column && order == m_order) return;
    m_column = column;
    m_order = order;
    const bool kept = std::exchange(m_kept, false); // asked for: in this order from now on
    refresh();
    m_kept = kept;
}

const Trial& TrialsModel::trialAt(int row) const {
    return m_trials.trials()[static_cast<std::size_t>(m_rows[static_cast<std::size_t>(row)])];
}

int TrialsModel::rowOf(const QString& run) const {
    const auto at = std::find(m_ids.begin(), m_ids.end(), run);
    return at == m_ids.end() ? -1 : static_cast<int>(at - m_ids.begin());
}

int TrialsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int TrialsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : statusColumn() + 3; }

QString TrialsModel::text(const Trial& trial, int column) const {
    if (column == Number) return shortName(*trial.run);
    if (column == Score) return metricText(trial.score);
    if (isSecond(column)) return metricText(trial.second);
    if (isAxis(column)) return trial.text(axisAt(column));
    if (column == statusColumn()) return m_trials.statusText(trial);
    if (column == statusColumn() + 1) return trial.run->row.epoch > 0 ? digitsText(trial.run->row.epoch, 3) : kNoValue;
    return trial.run->row.trainSeconds > 0 ? durationText(trial.run->row.trainSeconds) : kNoValue;
}

QString TrialsModel::tip(const Trial& trial, int column) const {
    if (column == Number) return trial.run->name;
    if (column == Score && std::isfinite(trial.score))
        return tr("%1 at step %2").arg(exactText(trial.score)).arg(trial.standing.step);
    if (isSecond(column) && std::isfinite(trial.second))
        return trial.onFront ? tr("%1; no other trial beats it in both series").arg(exactText(trial.second))
                             : exactText(trial.second);
    if (isAxis(column)) {
        const auto& path = axisAt(column);
        const auto found = trial.params.find(path);
        return found == trial.params.end()
                   ? tr("Not used by this trial")
                   : localText(QString::fromStdString(path + " " + spec::toText(found->second)));
    }
    if (!trial.run->row.error.message.empty()) return QString::fromStdString(trial.run->row.error.message);
    const QString why = m_trials.fullReason(trial);
    return why.isEmpty() ? text(trial, statusColumn()) : why;
}

QVariant TrialsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Trial& trial = trialAt(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(trial, column);
    case Qt::ToolTipRole: return tip(trial, column);
    case Qt::TextAlignmentRole:
        return int((column == Number || column == statusColumn() ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole: // the status changes, and its column is measured once
        return isBest(index.row()) && column != statusColumn() ? QVariant(Theme::current().heading) : QVariant();
    case Qt::ForegroundRole:
        if (column == statusColumn())
            return m_feed.status(*trial.run) == wire::RunStatus::Failed ? Theme::current().error
                                                                        : Theme::current().text2;
        return {};
    default: return {};
    }
}

QVariant TrialsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Number || section == statusColumn() ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    const bool axis = isAxis(section);
    const QString path = axis ? QString::fromStdString(axisAt(section)) : QString();
    if (role == Qt::ToolTipRole && axis) return path;
    if (role == Qt::ToolTipRole && section == Score) return m_trials.scoreSeries();
    if (role == Qt::ToolTipRole && isSecond(section)) return m_second;
    if (role != Qt::DisplayRole) return {};
    if (section == Number) return tr("Trial");
    if (section == Score) return seriesTitle(m_trials.scoreSeries());
    if (isSecond(section)) return seriesTitle(m_second);
    if (axis) return shortPath(path);
    const QStringList last{tr("Status"), tr("Epochs"), tr("Time")};
    return last.value(section - statusColumn());
}

} // namespace trainyard::ui
