// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints that are kept in memory: of trials on this computer that wait for their turn, or whose states others
// adopt. They are files like those on the disk, in a file system in memory, so whoever has the path can use them; one
// that is lost is made up for as a damaged one is, by an earlier one or from the beginning.
#pragma once

#include "engine/store/kept_store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace trainyard::run {

inline constexpr double kBriefTraining = 1;  // second, of a trial; it costs as much as a few waits for the disk
inline constexpr double kOnDiskSeconds = 60; // a run whose checkpoints are in memory also saves on the disk so often

// Where a run may keep checkpoints in memory.
struct StateMemory {
    std::filesystem::path folder{}; // of the run, in that of its sweep; empty: nowhere
    std::int64_t bytes = 0;         // for all runs of the sweep together
};

// The folder of a sweep; empty where this computer has no memory for files that is this user's alone.
std::filesystem::path memoryOfSweep(const std::string& sweep);
StateMemory memoryOf(const std::string& sweep, const std::string& run, std::int64_t megabytes);
bool isInMemory(const std::filesystem::path& file);

// Has `write` make a file of that name if it fits in with all that is there and takes no more than a quarter of the
// memory that is free, and says whether it has: what cannot be written belongs on the disk. One process of a sweep at a time.
bool writeInMemory(const StateMemory& memory, const std::string& name, std::int64_t bytes,
                   const std::function<Result<void>(const std::filesystem::path& file)>& write);

// Deletes what a run that was killed has left there beside these.
void removeFromMemory(const std::filesystem::path& folder, const std::vector<store::CheckpointRow>& listed);

// Moves what a run of a sweep, or all of them, has in memory to the run's own folder. One that is being trained keeps
// it; of all of them, those that are about to end are waited for. Environment when the disk is full; the files stay where they are then.
Result<void> moveToDisk(store::KeptStore& store, const std::string& sweep, const std::string& run);
Result<void> moveToDisk(store::KeptStore& store, const std::string& sweep);
// Deletes it, of a run that is deleted.
void forgetMemory(const std::string& sweep, const std::string& run);

} // namespace trainyard::run
