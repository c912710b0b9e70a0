// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/trials_model.h"

#include "ui/models/format.h"
#include "ui/theme/theme.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace trainyard::ui {

TrialsModel::TrialsModel(WorkspaceFeed& feed, QObject* parent) : QAbstractTableModel(parent), m_feed(feed) {
    connect(&feed, &WorkspaceFeed::runsChanged, this, &TrialsModel::refresh);
}

void TrialsModel::setSweep(const QString& sweep) {
    m_sweep = sweep;
    refresh();
}

void TrialsModel::refresh() {
    std::vector<Trial> trials;
    QStringList paths;
    const std::string sweep = m_sweep.toStdString();
    for (const auto& run : m_feed.runs()) {
        if (sweep.empty() || run->row.sweep != sweep) continue;
        Trial trial{run, {}, run->best};
        const auto params = QJsonDocument::fromJson(QByteArray::fromStdString(run->row.paramsJson)).object();
        for (auto it = params.begin(); it != params.end(); ++it) {
            if (it.value().isDouble()) {
                trial.params.insert(it.key(), it.value().toDouble());
                if (!paths.contains(it.key())) paths << it.key();
            }
        }
        m_score = run->scoreSeries;
        m_max = run->scoreMax;
        trials.push_back(std::move(trial));
    }
    const auto better = [this](const Trial& a, const Trial& b) {
        if (std::isnan(a.score) != std::isnan(b.score)) return std::isnan(b.score);
        if (std::isnan(a.score) || a.score == b.score) return a.run->row.trial < b.run->row.trial;
        return m_max ? a.score > b.score : a.score < b.score;
    };
    std::sort(trials.begin(), trials.end(), better);
    const bool same = trials.size() == m_trials.size() && paths == m_paths &&
                      std::equal(trials.begin(), trials.end(), m_trials.begin(),
                                 [](const Trial& a, const Trial& b) { return a.run->id == b.run->id; });
    if (same) {
        m_trials = std::move(trials);
        if (!m_trials.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_trials = std::move(trials);
    m_paths = paths;
    endResetModel();
}

const Trial* TrialsModel::best() const {
    return m_trials.empty() || std::isnan(m_trials.front().score) ? nullptr : &m_trials.front();
}

int TrialsModel::rowOf(const QString& run) const {
    for (std::size_t row = 0; row < m_trials.size(); ++row)
        if (m_trials[row].run->id == run) return static_cast<int>(row);
    return -1;
}

int TrialsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_trials.size());
}
int TrialsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 3 + static_cast<int>(m_paths.size());
}

QVariant TrialsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Trial& trial = m_trials[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::TextAlignmentRole) return int((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && column == columnCount() - 1)
        return m_feed.status(*trial.run) == wire::RunStatus::Failed ? Theme::current().error : Theme::current().text2;
    if (role == Qt::ToolTipRole)
        return trial.run->row.error.empty() ? trial.run->name : QString::fromStdString(trial.run->row.error);
    if (role != Qt::DisplayRole) return {};
    if (column == 0) return trial.run->name;
    if (column <= m_paths.size()) {
        return trial.params.contains(m_paths[column - 1])
                   ? QString::number(trial.params.value(m_paths[column - 1]), 'g', 3)
                   : kNoValue;
    }
    if (column == m_paths.size() + 1) return metricText(trial.score);
    const auto status = m_feed.status(*trial.run);
    if (status == wire::RunStatus::Running)
        return QStringLiteral("%1%").arg(static_cast<int>(m_feed.progress(*trial.run) * 100));
    return status == wire::RunStatus::Finished ? tr("%1 ep.").arg(trial.run->row.epoch, 0, 'g', 3)
                                               : statusWord(status).toLower();
}

QVariant TrialsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (section == 0) return tr("Trial");
    if (section <= m_paths.size()) return shortPath(m_paths[section - 1]);
    return section == m_paths.size() + 1 ? m_score : tr("trained");
}

} // namespace trainyard::ui
