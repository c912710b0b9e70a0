// SPDX-License-Identifier: GPL-3.0-or-later
// Reads metrics as JSON: lines with an object for each step or each value, or one document (SOURCES.md).
#pragma once

#include "engine/base/result.h"
#include "engine/imports/imported_run.h"
#include "engine/imports/source_stream.h"
#include "engine/imports/table_columns.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace trainyard::imports {

// By its first byte. Of a file that cannot be read, false.
bool beginsAsJson(const std::filesystem::path& file);

// Whether its first line, or the one behind a few objects that say something of the run, is an object with a step or an
// epoch. Of a file that cannot be read, false.
bool isJsonLines(const std::filesystem::path& file);

// What its names mean, where the first line of the file, or the one behind a few objects that say something of the run,
// is an object with a step or an epoch; else mappingOfJsonDocument. Nothing for another file, and for one that cannot
// be read.
std::optional<TableMapping> mappingOfJsonLines(const std::filesystem::path& file);

// The same reader for a file that is still written; not for one document, which ends it with an Input error at once.
std::unique_ptr<SourceStream> jsonLinesStream(const std::filesystem::path& file, ImportedRun& run);

// The lines as one run, else readJsonDocument. Lines that are no object or have no step and numbers too large for a
// double are left out and named; words, truth values and lists are counted in otherValues. What stands below `config`
// in the first row, and in the objects before it, becomes settings. Holds one line in memory besides the points.
Result<ImportedRun> readJsonLines(const std::filesystem::path& file);

} // namespace trainyard::imports
