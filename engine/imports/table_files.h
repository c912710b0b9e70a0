// SPDX-License-Identifier: GPL-3.0-or-later
// Reads tables of metrics in CSV: a column for each series, or a row for each value (SOURCES.md).
#pragma once

#include "engine/base/result.h"
#include "engine/imports/imported_run.h"
#include "engine/imports/source_stream.h"
#include "engine/imports/table_columns.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace trainyard::imports {

// What its columns mean, where the file begins with the header of such a table: names, among them a step or an epoch.
// Nothing for another file, and for one that cannot be read.
std::optional<TableMapping> mappingOfTable(const std::filesystem::path& file);

// The same reader for a table that is still written. The path gives errors a place, and may name its series.
std::unique_ptr<SourceStream> tableStream(const std::filesystem::path& file, ImportedRun& run);

// The table as one run. Rows that do not fit the header and numbers too large for a double are left out and named; an
// empty cell is no value; words are counted in otherValues. Holds one row in memory besides the points. Input where the
// header is none of such a table; the errors of FileReader::open.
Result<ImportedRun> readTableFile(const std::filesystem::path& file);

} // namespace trainyard::imports
