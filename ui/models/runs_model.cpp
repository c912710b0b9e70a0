// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_model.h"

#include <algorithm>
#include <array>

namespace trainyard::ui {

namespace {
// A group's own index carries this, a run's index carries its group's enumerator.
constexpr quintptr kGroupId = ~quintptr(0);
} // namespace

RunsModel::Group RunsModel::groupOf(const RunItem& run) {
    switch (run.status) {
    // Only the trials of a sweep wait for others; any other queued run is about to start.
    case wire::RunStatus::Queued: return run.row.sweep.empty() ? Running : Queued;
    case wire::RunStatus::Finished: return Finished;
    case wire::RunStatus::Stopped: return Stopped;
    case wire::RunStatus::Failed: return Failed;
    case wire::RunStatus::Interrupted:
    case wire::RunStatus::Unknown: return Interrupted;
    default: return Running;
    }
}

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

void RunsModel::apply(const RunsDelta& delta) {
    for (const RunItemPtr& run : delta.runs) m_all.insert(run->id, run);
    for (const QString& run : delta.removed) m_all.remove(run);
    if (delta.runs.size() + static_cast<std::size_t>(delta.removed.size()) > kMostMoves) return reset();
    for (const RunItemPtr& run : delta.runs) insert(run);
    for (const QString& run : delta.removed) remove(run);
}

void RunsModel::setFilter(const RunFilter& filter) {
    // A filter can drop thousands of scattered rows: one reset is cheaper than each of them by itself.
    m_filter = filter;
    reset();
}

void RunsModel::reset() {
    beginResetModel();
    m_groups.clear();
    m_groupOf.clear();
    std::array<std::vector<RunItemPtr>, GroupCount> sorted;
    for (const RunItemPtr& run : std::as_const(m_all)) {
        if (!m_filter.matches(*run)) continue;
        m_groupOf.insert(run->id, groupOf(*run));
        sorted[groupOf(*run)].push_back(run);
    }
    for (std::size_t group = 0; group < sorted.size(); ++group) {
        std::sort(sorted[group].begin(), sorted[group].end(), isNewer);
        if (!sorted[group].empty()) m_groups.push_back(GroupRows{static_cast<Group>(group), std::move(sorted[group])});
    }
    endResetModel();
}

int RunsModel::rowOfGroup(Group group) {
    const auto at =
        std::find_if(m_groups.begin(), m_groups.end(), [group](const GroupRows& rows) { return rows.group >= group; });
    const int row = static_cast<int>(at - m_groups.begin());
    if (at != m_groups.end() && at->group == group) return row;
    beginInsertRows({}, row, row);
    m_groups.insert(at, GroupRows{group, {}});
    endInsertRows();
    return row;
}

// Shows the present state of the run, at its present place.
void RunsModel::insert(const RunItemPtr& run) {
    const Group group = groupOf(*run);
    const bool shown = m_filter.matches(*run);
    const auto known = m_groupOf.constFind(run->id);
    if (known != m_groupOf.constEnd() && (!shown || *known != group)) remove(run->id);
    if (!shown) return;
    const int groupRow = rowOfGroup(group);
    auto& runs = m_groups[static_cast<std::size_t>(groupRow)].runs;
    const auto at = std::lower_bound(runs.begin(), runs.end(), run, isNewer);
    const int row = static_cast<int>(at - runs.begin());
    if (at != runs.end() && (*at)->id == run->id) {
        *at = run;
        const QModelIndex changed = index(row, 0, groupIndex(groupRow));
        Q_EMIT dataChanged(changed, changed);
        return;
    }
    beginInsertRows(groupIndex(groupRow), row, row);
    runs.insert(at, run);
    m_groupOf.insert(run->id, group);
    endInsertRows();
    Q_EMIT dataChanged(groupIndex(groupRow), groupIndex(groupRow)); // its count
}

void RunsModel::remove(const QString& run) {
    const QModelIndex at = indexOf(run);
    if (!at.isValid()) return;
    const int groupRow = at.parent().row();
    auto& runs = m_groups[static_cast<std::size_t>(groupRow)].runs;
    beginRemoveRows(at.parent(), at.row(), at.row());
    runs.erase(runs.begin() + at.row());
    m_groupOf.remove(run);
    endRemoveRows();
    if (!runs.empty()) {
        Q_EMIT dataChanged(groupIndex(groupRow), groupIndex(groupRow));
        return;
    }
    beginRemoveRows({}, groupRow, groupRow);
    m_groups.erase(m_groups.begin() + groupRow);
    endRemoveRows();
}

void RunsModel::touch(const QString& run) {
    if (const QModelIndex at = indexOf(run); at.isValid()) Q_EMIT dataChanged(at, at);
}

QModelIndex RunsModel::groupIndex(int row) const { return createIndex(row, 0, kGroupId); }

QModelIndex RunsModel::indexOf(const QString& run) const {
    const auto group = m_groupOf.constFind(run);
    if (group == m_groupOf.constEnd()) return {};
    for (std::size_t row = 0; row < m_groups.size(); ++row) {
        if (m_groups[row].group != *group) continue;
        const auto& runs = m_groups[row].runs;
        const auto of = [&run](const RunItemPtr& each) { return each->id == run; };
        // They are in the order of their creation, and that of a run never changes.
        const RunItemPtr known = m_all.value(run);
        auto at = known ? std::lower_bound(runs.begin(), runs.end(), known, isNewer)
                        : std::find_if(runs.begin(), runs.end(), of); // it was removed a moment ago
        return index(static_cast<int>(at - runs.begin()), 0, groupIndex(static_cast<int>(row)));
    }
    return {};
}

RunItemPtr RunsModel::item(const QModelIndex& index) const {
    const QModelIndex up = parent(index);
    if (!index.isValid() || !up.isValid()) return {};
    const auto& runs = m_groups[static_cast<std::size_t>(up.row())].runs;
    return index.row() < static_cast<int>(runs.size()) ? runs[static_cast<std::size_t>(index.row())] : RunItemPtr{};
}

int RunsModel::shown() const {
    std::size_t count = 0;
    for (const auto& group : m_groups) count += group.runs.size();
    return static_cast<int>(count);
}

QModelIndex RunsModel::index(int row, int column, const QModelIndex& parent) const {
    if (column != 0 || row < 0) return {};
    if (!parent.isValid())
        return row < static_cast<int>(m_groups.size()) ? createIndex(row, 0, kGroupId) : QModelIndex();
    if (parent.internalId() != kGroupId || row >= rowCount(parent)) return {};
    return createIndex(row, 0, static_cast<quintptr>(m_groups[static_cast<std::size_t>(parent.row())].group));
}

QModelIndex RunsModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == kGroupId) return {};
    for (std::size_t row = 0; row < m_groups.size(); ++row)
        if (static_cast<quintptr>(m_groups[row].group) == index.internalId()) return groupIndex(static_cast<int>(row));
    return {};
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return static_cast<int>(m_groups.size());
    if (parent.internalId() != kGroupId || parent.row() >= static_cast<int>(m_groups.size())) return 0;
    return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].runs.size());
}

int RunsModel::columnCount(const QModelIndex&) const { return 1; }

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (index.internalId() == kGroupId) {
        const auto& group = m_groups[static_cast<std::size_t>(index.row())];
        switch (role) {
        case Qt::DisplayRole: return groupTitle(group.group);
        case Qt::AccessibleTextRole:
            return tr("%1, %n runs", nullptr, static_cast<int>(group.runs.size())).arg(groupTitle(group.group));
        case IsGroupRole: return true;
        case CountRole: return static_cast<int>(group.runs.size());
        default: return {};
        }
    }
    const RunItemPtr run = item(index);
    if (!run) return {};
    switch (role) {
    case Qt::DisplayRole: return run->name;
    case Qt::AccessibleTextRole: return tr("%1, %2").arg(run->name, statusWord(run->status));
    case RunIdRole: return run->id;
    case IsGroupRole: return false;
    default: return {};
    }
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    return index.internalId() == kGroupId
               ? Qt::ItemIsEnabled
               : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemNeverHasChildren;
}

} // namespace trainyard::ui
