// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/kept_store.h"

#include <set>
#include <string>
#include <vector>

namespace trainyard::run {

// What deleting checkpoints has done.
struct DroppedCheckpoints {
    std::vector<std::int64_t> ids;  // of the rows that are gone
    std::int64_t freedBytes = 0;    // on the disk
    std::int64_t sharedBytes = 0;   // of files that a fork or the queue has, too: nothing is freed
    std::vector<std::string> stays; // files that could not be deleted, and why; they are tried again the next time
};

// Deletes these checkpoints; what an earlier call left half deleted (RunQuery::halfDeleted) is to be among them. One
// that was pinned meanwhile stays. The caller holds the locks of their runs. A row is never listed without its file or
// a file without its row, wherever this process dies: see Store::beginDeleting. PowerLoss: waits for the disk.
// Environment: the store cannot be written.
Result<DroppedCheckpoints> deleteCheckpoints(store::Store& writer, const std::vector<store::CheckpointRow>& rows,
                                             Outlives outlives);

// What the file of a checkpoint takes of the disk: `shared` where another name for it stays when it is deleted.
struct FileBytes {
    bool there = false, shared = false;
    std::int64_t bytes = 0;
};
FileBytes bytesOf(const std::string& path);
// A run, and where its files are.
struct RunPlace {
    std::string id;
    std::filesystem::path folder;
};
// Removes all checkpoints of runs without a supervisor, of each unless one of its own is pinned; its curves stay, and a
// resume trains from the beginning. Returns those that have a supervisor now. Two transactions for all of them, and a
// file is open for each meanwhile. May be repeated after a crash, or a loss of power, which is not waited for.
// Environment: the store cannot be written.
Result<std::set<std::string>> dropCheckpoints(store::KeptStore& store, const std::vector<RunPlace>& runs);

} // namespace trainyard::run
