// SPDX-License-Identifier: GPL-3.0-or-later
// Reads TensorBoard's event files (EVENT_FILES.md).
#pragma once

#include "engine/base/result.h"
#include "engine/imports/imported_run.h"
#include "engine/imports/source_stream.h"

#include <filesystem>
#include <memory>
#include <span>

namespace trainyard::imports {

// Whether the file begins with a length and its checksum as TensorFlow writes them: by its content, whatever its name.
// Of a file that cannot be read, false.
bool isEventFile(const std::filesystem::path& file);

// The same reader for a file that is still written. Holds one record.
std::unique_ptr<SourceStream> eventFileStream(const std::filesystem::path& file, ImportedRun& run);

// The files of one run as one run, in the order given. A point voids those of its series at its step and later ones;
// a start of a session those of every series. Damaged records are left out and named; what follows a damaged length
// cannot be found and is left out with it. Holds one record in memory besides the points. Errors: those of
// FileReader::open.
Result<ImportedRun> readEventFiles(std::span<const std::filesystem::path> files);

} // namespace trainyard::imports
