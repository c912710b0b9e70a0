// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a table once into rows that are kept (kept_table.h), in memory of a bounded size.
#pragma once

#include "engine/torch/data/kept/kept_table.h"
#include "engine/torch/data/tables/table_roles.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::data {

// What a kept table is of, and where its targets and classes are from.
struct TableSource {
    std::string file;
    const train::Arguments& arguments;
    train::TaskKind task;
    bool classes() const { return task == train::TaskKind::Classification; }
};

// The kept table, and what its facts say of it.
struct ConvertedTable {
    std::shared_ptr<KeptTable> rows;
    train::TableLayout layout;
    std::vector<std::string> classNames, notes;
    std::map<std::int64_t, std::int64_t> placeOfLabel; // of numbered classes
    Roles roles;                                       // of `columns`
    formats::Table columns; // what they hold, and how many of their cells are missing; no rows
    std::string content;    // SHA-256 of the file
};

// Reads the file two or three times, or not at all where it is kept already. Errors as of a table in memory.
// Environment: there is no room to keep it.
Result<ConvertedTable> converted(const TableSource& source);
// Whether it is kept already.
bool isConverted(const TableSource& source);

} // namespace trainyard::data
