// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace trainyard::train {

// Which folder becomes which pack.
struct PackQuestion {
    std::filesystem::path folder, out;
    std::int64_t archiveBytes = 1'000'000'000;
};

// Packs the pictures of a folder, and the lists beside them, with their names (formats/folders/pack_writer.h). Where
// the folders are classes, a .cls beside each picture has the number of its class, for others that read WebDataset. As
// JSON: "out", "files", "pictures", "archives", "keptArchives" (of a writer before that was killed), "bytes", "leftOut"
// ([file], at most 1,000), "leftOutCount", "notes". Errors as writePack(); also Input: the folder is a pack.
Result<std::string> packFolder(const PackQuestion& question);

} // namespace trainyard::train
