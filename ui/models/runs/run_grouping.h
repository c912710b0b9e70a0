// SPDX-License-Identifier: GPL-3.0-or-later
// Which runs of the table stand under one heading.
#pragma once

#include "ui/models/runs/run_item.h"

namespace trainyard::ui {

// What the runs of the table are grouped by.
struct RunGrouping {
    enum class By { Status, Setting, Configuration } by = By::Status;
    QString path{}; // of Setting
    bool operator==(const RunGrouping&) const = default;
};
QString groupingToText(const RunGrouping& grouping); // "status", "configuration", "setting:optimizer.lr"
RunGrouping groupingFromText(const QString& text);   // by status where it is none of them

// A heading with runs below it.
struct RunHeading {
    enum class Kind { Group, Sweep } kind = Kind::Group;
    QString key{};         // the same for the same heading, whatever its title
    QString title{};       // what people read
    int place = 0;         // of a status group: its place among the others
    std::int64_t madeMs{}; // of a sweep
};

// The heading of runs with this value of a setting.
RunHeading headingOfValue(const RunItem& run, const QString& path);
// The heading of runs that differ in nothing but their seed; its title says what `differing` settings they have.
RunHeading headingOfConfiguration(const RunItem& run, const QStringList& differing);

} // namespace trainyard::ui
