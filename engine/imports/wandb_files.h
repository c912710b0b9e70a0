// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the log that W&B writes of an offline run (SOURCES.md).
#pragma once

#include "engine/base/result.h"
#include "engine/imports/imported_run.h"
#include "engine/imports/source_stream.h"

#include <filesystem>
#include <memory>
#include <span>

namespace trainyard::imports {

// Whether the file begins as run-….wandb does, whatever its name. Of a file that cannot be read, false.
bool isWandbFile(const std::filesystem::path& file);

// The same reader for a log that is still written, online or offline.
std::unique_ptr<SourceStream> wandbStream(const std::filesystem::path& file, ImportedRun& run);

// The run of a log, or of several that go on from one another: the numbers of its history, its configuration as
// settings, its name and notes. A number of the summary that the history does not have becomes a series of one point,
// at the last step. Damaged records are left out and named. Without a record of its end, or with an exit code other
// than 0, it has not finished. Holds one record in memory besides the points. Input where the head is another; the
// errors of FileReader::open.
Result<ImportedRun> readWandbFile(const std::filesystem::path& file);
Result<ImportedRun> readWandbFiles(std::span<const std::filesystem::path> files);

} // namespace trainyard::imports
