// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/runs_model.h"
#include "ui/models/text/format.h"

#include <cmath>

namespace trainyard::ui {

QString RunsModel::groupTitle(Group group) {
    switch (group) {
    case Running: return tr("Running");
    case Queued: return tr("Queued");
    case Interrupted: return tr("Interrupted");
    case Finished: return tr("Finished");
    case Stopped: return tr("Stopped");
    case Failed: return tr("Failed");
    case GroupCount: break;
    }
    return {};
}

const RunNode* RunsModel::nodeOf(const QModelIndex& index) const {
    return index.isValid() ? static_cast<const RunNode*>(index.constInternalPointer()) : &m_root;
}

QModelIndex RunsModel::indexOf(const RunNode& node, int column) const { return createIndex(node.row, column, &node); }

QModelIndex RunsModel::indexOf(const QString& run) const {
    const RunNode* node = m_nodes.value(run);
    return node ? indexOf(*node) : QModelIndex();
}

RunItemPtr RunsModel::item(const QModelIndex& index) const {
    return index.isValid() ? nodeOf(index)->run : RunItemPtr();
}

QStringList RunsModel::runsBelow(const QModelIndex& heading) const {
    QStringList runs;
    eachRun(*nodeOf(heading), [&runs](const RunItem& run) { runs << run.id; });
    return runs;
}

QModelIndex RunsModel::index(int row, int column, const QModelIndex& parent) const {
    const RunNode* above = nodeOf(parent);
    if (column < 0 || column >= m_columns.size() || row < 0 || row >= rowCount(parent)) return {};
    return indexOf(*above->children[static_cast<std::size_t>(row)], column);
}

QModelIndex RunsModel::parent(const QModelIndex& index) const {
    if (!index.isValid()) return {};
    const RunNode* above = nodeOf(index)->parent;
    return above == &m_root ? QModelIndex() : indexOf(*above);
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.column() > 0 ? 0 : static_cast<int>(nodeOf(parent)->children.size());
}

int RunsModel::columnCount(const QModelIndex&) const { return static_cast<int>(m_columns.size()); }

const QString& RunsModel::scoreSeries() const {
    if (m_score) return *m_score;
    m_score.emplace();
    for (const RunNode* node : m_nodes) {
        if (m_score->isEmpty()) *m_score = node->run->scoreSeries;
        else if (*m_score != node->run->scoreSeries) return *(m_score = QString());
    }
    return *m_score;
}

QString RunsModel::scoreSeriesOf(const RunNode& node, int column) const {
    if (m_columns[column].kind != RunColumn::Kind::Score || !scoreSeries().isEmpty()) return {};
    const RunItem* run = node.run ? node.run.get() : bestRunOf(node);
    const bool isShown = run && std::isfinite(run->best) && (node.run || !headingText(node, column).isEmpty());
    return isShown ? seriesText(run->scoreSeries) : QString();
}

QString RunsModel::headingText(const RunNode& node, int column) const {
    const RunColumn& of = m_columns[column];
    if (column == 0) return node.heading.title;
    if (node.isSweep()) {
        if (of.kind != RunColumn::Kind::Score && of.kind != RunColumn::Kind::Series) return {};
        const RunItem* best = bestRunOf(node);
        return best ? textIn(*best, of) : QString();
    }
    if (m_grouping.by == RunGrouping::By::Status || !isNumeric(of) || of.kind == RunColumn::Kind::Age) return {};
    const auto known = node.stats.find(column);
    const auto& stats =
        known != node.stats.end() ? known->second : node.stats.emplace(column, statsOf(node, of)).first->second;
    return seedStatsText(stats);
}

QVariant RunsModel::headingData(const RunNode& node, int column, int role) const {
    switch (role) {
    case Qt::DisplayRole: return headingText(node, column);
    case Qt::ToolTipRole: {
        if (column == 0) return node.heading.tip.isEmpty() ? node.heading.title : node.heading.tip;
        const auto at = node.stats.find(column);
        if (at == node.stats.end() || at->second.count < 2) return {};
        return tr("%1: %2 ± %3 over %n runs", nullptr, at->second.count)
            .arg(columnTitle(m_columns[column]), exactText(at->second.mean), exactText(at->second.sd));
    }
    case Qt::AccessibleTextRole: {
        int count = 0;
        eachRun(node, [&count](const RunItem&) { ++count; });
        return column == 0 ? tr("%1, %n runs", nullptr, count).arg(node.heading.title) : headingText(node, column);
    }
    case IsGroupRole: return true;
    case IsSweepRole: return node.isSweep();
    case KeyRole: return node.heading.key;
    case GroupColorRole: return isGrouped() ? QVariant::fromValue(node.heading.color) : QVariant();
    case CountRole: {
        int count = 0;
        eachRun(node, [&count](const RunItem&) { ++count; });
        return count;
    }
    default: return {};
    }
}

QVariant RunsModel::runData(const RunItem& run, int column, int role) const {
    const RunColumn& of = m_columns[column];
    switch (role) {
    case Qt::DisplayRole: return textIn(run, of);
    case Qt::ToolTipRole: return tipIn(run, of);
    case Qt::AccessibleTextRole:
        if (column > 0) return spokenIn(run, of);
        return run.home.after(tr("%1, %2").arg(run.name, statusWord(run, run.status)));
    case RunIdRole: return run.id;
    case IsGroupRole: return false;
    default: return {};
    }
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const RunNode& node = *nodeOf(index);
    if (role == ScoreSeriesRole) return scoreSeriesOf(node, index.column());
    return node.run ? runData(*node.run, index.column(), role) : headingData(node, index.column(), role);
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size()) return {};
    const RunColumn& column = m_columns[section];
    const bool isScore = column.kind == RunColumn::Kind::Score;
    switch (role) {
    case Qt::DisplayRole: {
        const QString series = isScore ? scoreSeries() : QString();
        return isScore && !series.isEmpty() ? seriesTitle(series) : columnTitle(column);
    }
    case Qt::ToolTipRole: {
        const QString series = isScore ? scoreSeries() : QString();
        return series.isEmpty() ? columnTip(column) : tr("%1: %2").arg(series, columnTip(column));
    }
    case Qt::TextAlignmentRole:
        return int((isNumeric(column) || column.kind == RunColumn::Kind::Setting ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    default: return {};
    }
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    if (!item(index)) return Qt::ItemIsEnabled;
    const auto run = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return index.column() == 0 && item(index)->home.isHere() ? run | Qt::ItemIsEditable : run;
}

} // namespace trainyard::ui
