// SPDX-License-Identifier: GPL-3.0-or-later
// What the columns of a table of metrics mean, by their names: the same for CSV and for JSON lines (SOURCES.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::imports {

// What a column may hold. Of several that could be one, the one with the lowest place is.
struct ColumnMeaning {
    enum class Role { Series, Step, Epoch, Time, Name, Value } role = Role::Series;
    int place = 0;
};
ColumnMeaning meaningOf(std::string_view column);

// Which columns were recognised, by their names; empty: there is none.
struct TableMapping {
    std::string step, epoch, time;
    std::string name, value;         // of a table with a row for each value
    std::vector<std::string> series; // the other columns
};

} // namespace trainyard::imports
