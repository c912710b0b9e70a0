// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/files/placed_reader.h"
#include "engine/program/checkpoints/file_content.h"
#include "engine/program/checkpoints/pickle_machine.h"
#include "engine/store/files/safetensors.h"
#include "engine/store/files/zip_archive.h"

namespace trainyard::program {

// What the checkpoint file holds (file_content.h). None of its code is run, and no tensor is read. Input, with file,
// place and remedy: it is missing, no regular file, cut, damaged, or its pickle is larger than the limits; an error in
// a pickle names the code that comes before it. Environment: it cannot be read.
Result<FileContent> readContent(const std::filesystem::path& path, const PickleLimits& limits = {});

// What a file is by its first bytes; Torch for every zip archive.
FileContent::Format formatOf(const PlacedReader& file);
// What a file of weights may be by mistake, by its first bytes: "a GGUF file, …"; empty: nothing that is known here.
std::string foreignFormat(const PlacedReader& file);
// The file as an archive; the reader must outlive it.
store::ZipSource archiveIn(const PlacedReader& file);
// The beginning of a safetensors file, checked. The errors of readSafetensorsHead(), with the file.
Result<store::SafetensorsHead> safetensorsIn(const PlacedReader& file);

} // namespace trainyard::program
