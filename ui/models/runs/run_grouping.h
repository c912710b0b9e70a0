// SPDX-License-Identifier: GPL-3.0-or-later
// Groups runs of the table under headings.
#pragma once

#include "ui/models/runs/run_item.h"

namespace trainyard::ui {

// The criterion of grouping.
struct RunGrouping {
    enum class By { Status, Setting, Configuration } by = By::Status;
    QString path{}; // of Setting
    bool operator==(const RunGrouping&) const = default;
};
QString groupingToText(const RunGrouping& grouping); // "status", "configuration", "setting:optimizer.lr"
RunGrouping groupingFromText(const QString& text);   // by status if the text is none of these

// A heading with runs below it.
struct RunHeading {
    enum class Kind { Group, Sweep } kind = Kind::Group;
    QString key{};         // stays the same when the title changes
    QString title{};       // the displayed text
    int place = 0;         // order of a status group among the others
    std::int64_t madeMs{}; // of a sweep
};

// The heading of runs with this value of a setting.
RunHeading headingOfValue(const RunItem& run, const QString& path);
// The heading of runs that differ only in their seed; its title shows the values of the `differing` settings.
RunHeading headingOfConfiguration(const RunItem& run, const QStringList& differing);

} // namespace trainyard::ui
