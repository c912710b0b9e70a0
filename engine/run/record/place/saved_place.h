// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/text/name_of.h"

#include <filesystem>
#include <string>

namespace trainyard::run {

// Where a program has saved a checkpoint.
struct SavedPlace {
    HostName host;    // empty: this computer
    std::string path; // there
};
// Rule: how a program's checkpoint on another host is written down.
// "h2:/scratch/model_4.pt"; every other path begins with a slash. Nodes of a Slurm job share their files with this
// computer.
std::string recordedPath(const SavedPlace& place);
SavedPlace savedPlaceOf(const std::string& recorded);

// Where the copy of such a checkpoint is put when it is fetched, in the folder of its run.
std::filesystem::path fetchedPlace(const std::filesystem::path& runFolder, const SavedPlace& place);
// The file or folder of a recorded checkpoint on this computer: its own, or the fetched copy. Input with code
// FileMissing: it is on a host, and the remedy fetches it (`run`, `step`: what it is called).
Result<std::filesystem::path> savedHere(const std::filesystem::path& runFolder, const std::string& recorded,
                                        const std::string& run, std::int64_t step);

} // namespace trainyard::run
