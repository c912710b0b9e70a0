// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/kept_store.h"

#include <set>
#include <string>
#include <vector>

namespace trainyard::run {

// The result of deleting checkpoints.
struct DroppedCheckpoints {
    std::vector<std::int64_t> ids;  // of the rows that are gone
    std::int64_t freedBytes = 0;    // on the disk
    std::int64_t sharedBytes = 0;   // of files that a fork or the queue has, too: nothing is freed
    std::vector<std::string> stays; // files that could not be deleted, and why; they are tried again the next time
};

// Deletes these checkpoints, which must include those that an earlier call left half deleted (RunQuery::halfDeleted).
// A checkpoint that was pinned meanwhile stays. The caller holds the locks of their runs. No row is listed without its
// file or file without its row, wherever this process dies: see Store::beginDeleting. PowerLoss: waits for the disk.
// Environment: the store cannot be written.
Result<DroppedCheckpoints> deleteCheckpoints(store::Store& writer, const std::vector<store::CheckpointRow>& rows,
                                             Outlives outlives);

// Rule: which checkpoints may be deleted.
// Files in the folder that was made for those of the run. All others are a program's, and belong to the user; and the
// rows of a copied workspace name the original's.
bool isOfRun(const std::filesystem::path& folder, const std::filesystem::path& checkpoint);

// The disk space of a checkpoint's file. `shared`: another name for the file remains, so deleting frees nothing.
struct FileBytes {
    bool there = false, shared = false;
    std::int64_t bytes = 0;
};
FileBytes bytesOf(const std::string& path);
// A run, and the place of its files.
struct RunPlace {
    std::string id;
    std::filesystem::path folder;
};
// Removes all checkpoints of runs without a supervisor, except of a run with a pinned one, and those that are a
// program's. Curves stay; a resume
// trains from the beginning. Returns the runs that have a supervisor now. Uses two transactions and keeps a file open
// for each run. May be repeated after a crash or a loss of power, for which it does not wait. Environment: the store
// cannot be written.
Result<std::set<std::string>> dropCheckpoints(store::KeptStore& store, const std::vector<RunPlace>& runs);

} // namespace trainyard::run
