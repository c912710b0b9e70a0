// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs_model.h"

#include <algorithm>

namespace trainyard::ui {

namespace {
// A group's own index carries this, a run's index carries its group's enumerator.
constexpr quintptr kGroupId = ~quintptr(0);

bool before(const RunItemPtr& a, const RunItemPtr& b) {
    return a->row.createdMs != b->row.createdMs ? a->row.createdMs > b->row.createdMs : a->id > b->id;
}
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

void RunsModel::setRuns(const std::vector<RunItemPtr>& runs) {
    m_all = runs;
    rebuild();
}

void RunsModel::setFilter(const RunFilter& filter) {
    // A filter can drop thousands of scattered rows: one reset is cheaper than each of them by itself.
    beginResetModel();
    m_filter = filter;
    m_groups.clear();
    const auto wanted = sorted();
    for (std::size_t group = 0; group < wanted.size(); ++group)
        if (!wanted[group].empty()) m_groups.push_back(GroupRows{static_cast<Group>(group), wanted[group]});
    endResetModel();
}

RunsModel::Sorted RunsModel::sorted() const {
    Sorted wanted;
    for (const auto& run : m_all)
        if (m_filter.matches(*run)) wanted[static_cast<std::size_t>(groupOf(*run))].push_back(run);
    for (auto& runs : wanted) std::sort(runs.begin(), runs.end(), before);
    return wanted;
}

void RunsModel::rebuild() {
    const Sorted wanted = sorted();
    for (int group = 0; group < GroupCount; ++group) {
        const auto& runs = wanted[static_cast<std::size_t>(group)];
        auto at = std::find_if(m_groups.begin(), m_groups.end(),
                               [group](const GroupRows& rows) { return rows.group >= group; });
        const int row = static_cast<int>(at - m_groups.begin());
        const bool exists = at != m_groups.end() && at->group == group;
        if (runs.empty() && !exists) continue;
        if (runs.empty()) {
            beginRemoveRows({}, row, row);
            m_groups.erase(at);
            endRemoveRows();
            continue;
        }
        if (!exists) {
            beginInsertRows({}, row, row);
            m_groups.insert(at, GroupRows{static_cast<Group>(group), {}});
            endInsertRows();
        }
        mergeGroup(row, runs);
    }
}

void RunsModel::mergeGroup(int row, const std::vector<RunItemPtr>& wanted) {
    auto& have = m_groups[static_cast<std::size_t>(row)].runs;
    const QModelIndex parentIndex = groupIndex(row);
    const std::size_t countBefore = have.size();
    std::size_t at = 0;
    for (std::size_t next = 0; next < wanted.size() || at < have.size();) {
        const bool gone = at < have.size() && (next == wanted.size() || before(have[at], wanted[next]));
        if (gone) {
            std::size_t end = at + 1;
            while (end < have.size() && (next == wanted.size() || before(have[end], wanted[next]))) ++end;
            beginRemoveRows(parentIndex, static_cast<int>(at), static_cast<int>(end) - 1);
            have.erase(have.begin() + static_cast<std::ptrdiff_t>(at), have.begin() + static_cast<std::ptrdiff_t>(end));
            endRemoveRows();
        } else if (at < have.size() && have[at]->id == wanted[next]->id) {
            if (have[at] != wanted[next]) {
                have[at] = wanted[next];
                const QModelIndex changed = index(static_cast<int>(at), 0, parentIndex);
                Q_EMIT dataChanged(changed, changed);
            }
            ++at;
            ++next;
        } else {
            std::size_t end = next + 1;
            while (end < wanted.size() && (at == have.size() || before(wanted[end], have[at]))) ++end;
            const auto count = static_cast<int>(end - next);
            beginInsertRows(parentIndex, static_cast<int>(at), static_cast<int>(at) + count - 1);
            have.insert(have.begin() + static_cast<std::ptrdiff_t>(at),
                        wanted.begin() + static_cast<std::ptrdiff_t>(next),
                        wanted.begin() + static_cast<std::ptrdiff_t>(end));
            endInsertRows();
            at += end - next;
            next = end;
        }
    }
    if (have.size() != countBefore) Q_EMIT dataChanged(parentIndex, parentIndex);
}

void RunsModel::touch(const QString& run) {
    if (const QModelIndex at = indexOf(run); at.isValid()) Q_EMIT dataChanged(at, at);
}

QModelIndex RunsModel::groupIndex(int row) const { return createIndex(row, 0, kGroupId); }

QModelIndex RunsModel::indexOf(const QString& run) const {
    for (std::size_t group = 0; group < m_groups.size(); ++group) {
        const auto& runs = m_groups[group].runs;
        for (std::size_t row = 0; row < runs.size(); ++row)
            if (runs[row]->id == run) return index(static_cast<int>(row), 0, groupIndex(static_cast<int>(group)));
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
