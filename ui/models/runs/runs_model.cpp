// SPDX-License-Identifier: GPL-3.0-or-later
// How runs enter, move within and leave the model; runs_model_data.cpp has the data for views.
#include "ui/models/runs/runs_model.h"

#include <algorithm>

namespace trainyard::ui {

namespace {

RunsModel::Group groupOfStatus(wire::RunStatus status) {
    switch (status) {
    case wire::RunStatus::Queued: return RunsModel::Queued;
    case wire::RunStatus::Finished: return RunsModel::Finished;
    case wire::RunStatus::Stopped: return RunsModel::Stopped;
    case wire::RunStatus::Failed: return RunsModel::Failed;
    case wire::RunStatus::Interrupted:
    case wire::RunStatus::Unknown: return RunsModel::Interrupted;
    default: return RunsModel::Running;
    }
}

RunHeading headingOfStatus(RunsModel::Group group) {
    RunHeading heading;
    heading.key = heading.title = RunsModel::groupTitle(group);
    heading.place = group;
    return heading;
}

} // namespace

RunsModel::Group RunsModel::groupOf(const RunItem& run) { return groupOfStatus(run.status); }

std::vector<RunHeading> RunsModel::headingsOf(const RunItem& run) const {
    if (isGrouped()) return {headingOfGroup(run)};
    const auto sweep = m_sweeps.constFind(QString::fromStdString(run.row.sweep));
    if (sweep == m_sweeps.constEnd()) return {headingOfStatus(groupOf(run))};
    RunHeading below{RunHeading::Kind::Sweep, sweep.key(), sweep->name};
    below.madeMs = sweep->madeMs;
    return {headingOfStatus(groupOfStatus(sweep->status)), below};
}

RunHeading RunsModel::headingOfGroup(const RunItem& run) const {
    RunHeading heading;
    heading.key = groupKeyOf(run, m_grouping);
    const RunGroup group = m_groups.value(heading.key);
    heading.title = group.name;
    heading.tip = group.fullName;
    heading.color = group.color;
    return heading;
}

// What the groups that pass the filter are called, and their colours among all.
void RunsModel::findGroups() {
    m_groups.clear();
    if (!isGrouped()) return;
    m_colors.learn({m_all.constBegin(), m_all.constEnd()}, m_grouping);
    std::vector<RunItemPtr> shown;
    for (const RunItemPtr& run : std::as_const(m_all))
        if (m_filter.matches(*run)) shown.push_back(run);
    for (RunGroup& group : groupsOf(shown, m_grouping)) {
        group.color = m_colors.of(group.key);
        group.runs.clear();
        m_groups.insert(group.key, group);
    }
}

std::vector<RunGroup> RunsModel::groups() const {
    std::vector<RunGroup> groups;
    if (!isGrouped()) return groups;
    for (const auto& node : m_root.children) {
        const RunHeading& heading = node->heading;
        groups.push_back({heading.key, heading.title, heading.tip, heading.color, runsBelow(indexOf(*node))});
    }
    return groups;
}

// Another run may differ in a setting that all others share, and then every name changes.
bool RunsModel::changesGroups(const RunItem& run) const {
    const RunItemPtr before = m_all.value(run.id);
    return !before || before->row.specJson != run.row.specJson || before->row.color != run.row.color ||
           m_filter.matches(run) != m_nodes.contains(run.id);
}

void RunsModel::apply(const RunsDelta& delta) {
    const QString score = scoreSeries();
    take(delta);
    m_score.reset();
    if (scoreSeries() != score) Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void RunsModel::take(const RunsDelta& delta) {
    bool isOther = false; // the set of shown runs, or of their settings, differs
    for (const RunItemPtr& run : delta.runs) {
        m_names.add(*run);
        if (isGrouped()) isOther = isOther || changesGroups(*run);
        m_all.insert(run->id, run);
    }
    for (const QString& run : delta.removed) isOther = m_all.remove(run) || isOther;
    if (isGrouped() && isOther) return reset();
    if (delta.runs.size() + static_cast<std::size_t>(delta.removed.size()) > kMostMoves) return reset();
    for (const RunItemPtr& run : delta.runs) insert(run);
    for (const QString& run : delta.removed) remove(run);
}

void RunsModel::setFilter(const RunFilter& filter) {
    // A filter can drop thousands of scattered rows: one reset is cheaper than each of them by itself.
    m_filter = filter;
    reset();
}

void RunsModel::setSweeps(const std::vector<store::SweepRow>& sweeps) {
    QHash<QString, SweepInfo> infos;
    for (const store::SweepRow& sweep : sweeps)
        infos.insert(QString::fromStdString(sweep.id),
                     {QString::fromStdString(sweep.name), sweep.status, sweep.createdMs});
    if (infos == m_sweeps) return;
    m_sweeps = std::move(infos);
    if (!m_all.isEmpty()) reset();
}

void RunsModel::setColumns(const QList<RunColumn>& columns) {
    const bool same = std::equal(columns.begin(), columns.end(), m_columns.begin(), m_columns.end(),
                                 [](const RunColumn& a, const RunColumn& b) { return a.isSame(b); });
    m_columns = columns;
    if (same) return; // only widths differ, which concern only the view
    if (m_order.column && std::none_of(columns.begin(), columns.end(),
                                       [this](const RunColumn& each) { return each.isSame(*m_order.column); }))
        m_order.column.reset();
    reset();
}

void RunsModel::setGrouping(const RunGrouping& grouping) {
    if (grouping == m_grouping) return;
    m_grouping = grouping;
    m_colors = {};
    reset();
}

void RunsModel::sort(int column, Qt::SortOrder order) {
    RunOrder wanted;
    if (column >= 0 && column < m_columns.size()) wanted = {m_columns[column], order};
    if (wanted == m_order) return;
    m_order = wanted;
    reset();
}

QStringList RunsModel::differingSettings() const {
    return ui::differingSettings({m_all.constBegin(), m_all.constEnd()});
}

void RunsModel::reset() {
    beginResetModel();
    m_score.reset();
    m_nodes.clear();
    m_root.children.clear();
    findGroups();
    Homes homes;
    for (const RunItemPtr& run : std::as_const(m_all)) {
        if (!m_filter.matches(*run)) continue;
        RunNode* parent = homeOf(*run, homes);
        auto& node = parent->children.emplace_back(std::make_unique<RunNode>());
        node->parent = parent;
        node->run = run;
        m_nodes.insert(run->id, node.get());
    }
    sortBelow(m_root);
    endResetModel();
}

// The heading of a run, created with those above it if needed.
RunNode* RunsModel::homeOf(const RunItem& run, Homes& homes) {
    // Most runs are not trials and stand under their status: finding that heading needs no text.
    const bool plain = m_grouping.by == RunGrouping::By::Status && run.row.sweep.empty();
    RunNode* unused = nullptr;
    RunNode*& home = plain ? homes.groups[groupOf(run)] : unused;
    if (home) return home;
    home = &m_root;
    QString path;
    for (const RunHeading& heading : headingsOf(run)) {
        path += heading.key + QChar(0x1f);
        RunNode*& known = homes.others[path];
        if (!known) {
            known = home->children.emplace_back(std::make_unique<RunNode>()).get();
            known->parent = home;
            known->heading = heading;
        }
        home = known;
    }
    return home;
}

void RunsModel::sortBelow(RunNode& node) {
    for (const auto& child : node.children) {
        sortBelow(*child);
        child->sort = m_order.valueOf(*child);
    }
    std::sort(node.children.begin(), node.children.end(),
              [this](const auto& a, const auto& b) { return m_order.before(*a, *b); });
    placeRows(node);
}

RunNode* RunsModel::headingNode(RunNode& parent, const RunHeading& heading) const {
    const auto at = std::find_if(parent.children.begin(), parent.children.end(), [&](const auto& child) {
        return !child->run && child->heading.kind == heading.kind && child->heading.key == heading.key;
    });
    return at == parent.children.end() ? nullptr : at->get();
}

RunNode* RunsModel::insertNode(RunNode& parent, std::unique_ptr<RunNode> node) {
    node->parent = &parent;
    node->sort = m_order.valueOf(*node);
    const auto at = std::lower_bound(parent.children.begin(), parent.children.end(), node,
                                     [this](const auto& a, const auto& b) { return m_order.before(*a, *b); });
    const auto row = static_cast<std::size_t>(at - parent.children.begin());
    beginInsertRows(&parent == &m_root ? QModelIndex() : indexOf(parent), static_cast<int>(row), static_cast<int>(row));
    RunNode* made = parent.children.insert(at, std::move(node))->get();
    placeRows(parent, row);
    endInsertRows();
    return made;
}

bool RunsModel::staysInPlace(const RunNode& node) const {
    const auto& rows = node.parent->children;
    const auto row = static_cast<std::size_t>(node.row);
    return (row == 0 || m_order.before(*rows[row - 1], node)) &&
           (row + 1 == rows.size() || m_order.before(node, *rows[row + 1]));
}

// Shows the present state of the run, at its present place.
void RunsModel::insert(const RunItemPtr& run) {
    const bool shown = m_filter.matches(*run);
    const std::vector<RunHeading> headings = shown ? headingsOf(*run) : std::vector<RunHeading>{};
    if (RunNode* known = m_nodes.value(run->id)) {
        RunNode* parent = known->parent;
        bool same = shown;
        for (auto heading = headings.rbegin(); same && heading != headings.rend(); ++heading, parent = parent->parent)
            same = parent != &m_root && parent->heading.kind == heading->kind && parent->heading.key == heading->key;
        const RunItemPtr before = std::exchange(known->run, run);
        known->sort = m_order.valueOf(*known);
        if (same && staysInPlace(*known)) {
            forgetStats(*known->parent);
            rowChanged(*known);
            return;
        }
        known->run = before;
        remove(*known);
    }
    if (!shown) return;
    RunNode* parent = &m_root;
    for (const RunHeading& heading : headings) {
        RunNode* next = headingNode(*parent, heading);
        if (!next) {
            auto made = std::make_unique<RunNode>();
            made->heading = heading;
            next = insertNode(*parent, std::move(made));
        }
        parent = next;
    }
    auto node = std::make_unique<RunNode>();
    node->run = run;
    m_nodes.insert(run->id, insertNode(*parent, std::move(node)));
    forgetStats(*parent);
    for (const RunNode* each = parent; each != &m_root; each = each->parent) rowChanged(*each); // their counts
}

void RunsModel::remove(const QString& run) {
    if (RunNode* node = m_nodes.value(run)) remove(*node);
}

// Also removes headings that become empty.
void RunsModel::remove(RunNode& node) {
    RunNode* gone = &node;
    while (gone->parent != &m_root && gone->parent->children.size() == 1) gone = gone->parent;
    RunNode& parent = *gone->parent;
    const int row = gone->row;
    m_nodes.remove(node.run->id);
    beginRemoveRows(&parent == &m_root ? QModelIndex() : indexOf(parent), row, row);
    parent.children.erase(parent.children.begin() + row);
    placeRows(parent, static_cast<std::size_t>(row));
    endRemoveRows();
    forgetStats(parent);
    for (const RunNode* each = &parent; each != &m_root; each = each->parent) rowChanged(*each);
}

void RunsModel::forgetStats(RunNode& heading) {
    for (RunNode* each = &heading; each != nullptr; each = each->parent) each->stats.clear();
}

void RunsModel::rowChanged(const RunNode& node) { Q_EMIT dataChanged(indexOf(node), indexOf(node, columnCount() - 1)); }

void RunsModel::touch(const QString& run) {
    if (const RunNode* node = m_nodes.value(run)) rowChanged(*node);
}

} // namespace trainyard::ui
