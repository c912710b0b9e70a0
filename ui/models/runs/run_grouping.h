// SPDX-License-Identifier: GPL-3.0-or-later
// Groups runs: under headings in the table, and as one line each in the charts.
#pragma once

#include "ui/models/runs/run_item.h"

#include <QObject>

namespace trainyard::ui {

// The criterion of grouping.
struct RunGrouping {
    enum class By { Status, Setting, Configuration } by = By::Status;
    QString path{}; // of Setting
    bool operator==(const RunGrouping&) const = default;
};
QString groupingToText(const RunGrouping& grouping); // "status", "configuration", "setting:optimizer.lr"
RunGrouping groupingFromText(const QString& text);   // by status if the text is none of these

// Runs with the same value of a setting, or that differ only in their seed.
struct RunGroup {
    QString key{};      // the same whatever the name is
    QString name{};     // what tells it from the other groups, short: "lr 0.03, adam"
    QString fullName{}; // all settings in which the groups differ, a line each
    RunColor color{};
    QStringList runs{};
    bool operator==(const RunGroup&) const = default;
};

// The key of a run's group; not by status.
QString groupKeyOf(const RunItem& run, const RunGrouping& grouping);
// The groups of these runs, named by what differs among them, in the order of each one's first run. Each has the colour
// of its first run.
std::vector<RunGroup> groupsOf(const std::vector<RunItemPtr>& runs, const RunGrouping& grouping);

// The colours of groups: those of the palette in the order in which the groups came to be, so that few groups look as
// different as can be. A group keeps its colour, whatever the filter hides.
class GroupColors {
public:
    // Gives colours to the groups of all runs, in the order of their oldest runs. A colour that was chosen for a
    // group's oldest run is the group's.
    void learn(const std::vector<RunItemPtr>& runs, const RunGrouping& grouping);
    RunColor of(const QString& key);

private:
    QHash<QString, int> m_places;
    QHash<QString, RunColor> m_chosen;
};

// A heading with runs below it.
struct RunHeading {
    enum class Kind { Group, Sweep } kind = Kind::Group;
    QString key{};         // stays the same when the title changes
    QString title{};       // the displayed text
    int place = 0;         // order of a status group among the others
    std::int64_t madeMs{}; // of a sweep
    QString tip{};         // the title in full; empty: the title
    RunColor color{};      // of a group by setting or configuration
};

// The groups that the runs table shows, for the charts; none while it is grouped by status. GUI thread.
class ShownGroups : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void set(std::vector<RunGroup> groups);
    const std::vector<RunGroup>& all() const { return m_groups; }
    // The group of a run; null: none.
    const RunGroup* of(const QString& run) const;

Q_SIGNALS:
    void changed();

private:
    std::vector<RunGroup> m_groups;
    QHash<QString, std::size_t> m_places; // of the groups, by run
};

} // namespace trainyard::ui
