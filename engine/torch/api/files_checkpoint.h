// SPDX-License-Identifier: GPL-3.0-or-later
// A folder as one safetensors file: each file is a uint8 tensor named by its path below the folder, with a checksum.
#pragma once

#include "engine/store/files/safetensors.h"

#include <filesystem>

namespace trainyard::train {

inline constexpr const char* kFilesFormat = "trainyard-files"; // metadata key "format"

// Writes the regular files below `folder` into `file`, atomically and durably; `metadata` is added to. Input: the
// folder is not one, is empty, or holds something that is neither file nor folder. Environment: reading or writing.
Result<void> packFiles(const std::filesystem::path& folder, const std::filesystem::path& file,
                       store::Metadata metadata);
// Writes the files below `folder`, which is made. Input: `file` is damaged, is no such file, or names a path that leads
// out of the folder.
Result<void> unpackFiles(const std::filesystem::path& file, const std::filesystem::path& folder);

} // namespace trainyard::train
