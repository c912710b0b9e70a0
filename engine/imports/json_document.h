// SPDX-License-Identifier: GPL-3.0-or-later
// Logs that are one JSON document: a list of rows, or an object that holds one (SOURCES.md).
#pragma once

#include "engine/base/result.h"
#include "engine/imports/json_rows.h"

#include <filesystem>

namespace trainyard::imports {

// What its names mean, where the file is a list of objects with a step or an epoch, an object with such a list
// (trainer_state.json), an object of lists of numbers among which is a loss (the history of Keras), or a single object
// with a step or an epoch. Nothing for another file, for one of more than 64 MiB, and for one that cannot be read.
std::optional<TableMapping> mappingOfJsonDocument(const std::filesystem::path& file);

// Whether the file is such a document of several rows; false for a single object, and for a file that cannot be read.
bool holdsJsonRows(const std::filesystem::path& file);

// The same as points and settings of a run, which is not settled: of a document that is written anew with each row.
Result<void> readJsonDocument(const std::filesystem::path& file, ImportedRun& run);

// The document as one run. What stands beside the rows becomes settings. Holds the file in memory. Input where it is
// none of these; the errors of FileReader::open.
Result<ImportedRun> readJsonDocument(const std::filesystem::path& file);

} // namespace trainyard::imports
