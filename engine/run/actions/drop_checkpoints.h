// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/kept_store.h"

#include <string>

namespace trainyard::run {

// What deleting checkpoints has done.
struct DroppedCheckpoints {
    std::vector<std::int64_t> ids;  // of the rows that are gone
    std::int64_t freedBytes = 0;    // on the disk
    std::int64_t sharedBytes = 0;   // of files that a fork or the queue has, too: nothing is freed
    std::vector<std::string> stays; // files that could not be deleted, and why; they are tried again the next time
};

// Deletes these checkpoints, and what an earlier call has left half deleted. One that was pinned meanwhile stays. The
// caller holds the run's lock. A row is never listed without its file, nor a file without its row, wherever this
// process dies: see Store::beginDeleting. PowerLoss: waits for the disk. Environment: the store cannot be written.
Result<DroppedCheckpoints> deleteCheckpoints(store::Store& writer, store::RunQuery& query, const std::string& run,
                                             const std::vector<store::CheckpointRow>& rows, Outlives outlives);

// What the file of a checkpoint takes of the disk: `shared` where another name for it stays when it is deleted.
struct FileBytes {
    bool there = false, shared = false;
    std::int64_t bytes = 0;
};
FileBytes bytesOf(const std::string& path);

// Removes all checkpoints of a run without a supervisor, unless one of them is pinned; its curves stay, and a resume
// trains from the beginning. False: the run has a supervisor now. May be repeated after a crash, or a loss of power,
// which is not waited for. Environment: the store cannot be written.
Result<bool> dropCheckpoints(store::KeptStore& store, const std::string& run, const std::filesystem::path& folder);

} // namespace trainyard::run
