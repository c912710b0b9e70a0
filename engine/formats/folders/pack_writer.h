// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a pack: tar archives that WebDataset reads, and pack.index beside them (PACKS.md).
#pragma once

#include "engine/formats/folders/folder_names.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::formats {

struct FileToPack {
    std::string path;                    // within the folder
    std::string part = "data";           // what the names of its archives begin with
    FileFacts facts;                     // when it was listed
    std::optional<std::int64_t> label{}; // of the class: written beside it as KEY.cls
};

// What is packed, from where and to where.
struct PackOrder {
    std::filesystem::path folder, out;
    std::vector<FileToPack> files{};
    std::vector<std::string> classes{};        // go into classes.txt, one a line; none: no such file
    std::int64_t archiveBytes = 1'000'000'000; // an archive of more than one file is no larger
};

// What has been written.
struct PackMade {
    std::size_t files = 0, archives = 0, keptArchives = 0; // the last: left whole by a writer that was killed
    std::int64_t bytes = 0;                                // of all archives
};

// The folder that a pack is written in until it is whole. "plan" in it has the bytes of all archives.
std::filesystem::path partOfPack(const std::filesystem::path& out);

// Writes all files and gives the pack its name when it is whole and on the disk. One that was killed goes on with the
// archives that are whole, where the files in them are as they were. Input: `out` is there already or is inside the
// folder, a file has a name that a pack cannot hold, there are none, one is larger than 4 GB, or has become another
// meanwhile. Environment: a file cannot be read, the disk is full (nothing is written then), another process writes it.
Result<PackMade> writePack(const PackOrder& order);

} // namespace trainyard::formats
