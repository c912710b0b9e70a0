// SPDX-License-Identifier: GPL-3.0-or-later
// The files that runs left in the cache of a host, and which of them can be deleted.
#pragma once

#include "remote/files/transfer.h"

#include <map>
#include <string>
#include <vector>

namespace trainyard::remote {

struct CachedItem {
    enum class Kind {
        Worker, // a worker program
        Data,   // files and folders that were copied there
        Run     // the folder of a run: the checkpoints that were saved there last
    };
    Kind kind = Kind::Data;
    std::string path; // below the cache
    std::string name; // of the program, of the files, of the run
    std::int64_t bytes = 0;
    bool inUse = false;           // workers run there, or it is being copied
    std::int64_t newestStep = -1; // of a run's checkpoints there
    bool hasOutput = false;       // of a run: files that its program has written
};

// Why an item stays.
enum class Stays {
    No,
    InUse,
    Newer,   // it has a checkpoint that this computer lacks: resuming the run takes it over
    Unknown, // a run of another workspace or computer, which may lack it
    Output   // what a user's program has written is the user's
};
const char* toString(Stays stays); // "", "in-use", "newer", "unknown-run": the word in JSON

// The cache of the host; nothing if it has none.
Result<std::vector<CachedItem>> readHostCache(SshSession& session, const HostBasics& basics);

// For each item the reason why it stays. `newestHere`: for every run of the workspace the step of its newest
// checkpoint here (-1: none). Anything deleted can be copied there again.
std::vector<Stays> judgeCache(const std::vector<CachedItem>& items,
                              const std::map<std::string, std::int64_t>& newestHere);

// Removes the item from the host. Environment: it cannot be removed completely.
Result<void> removeItem(SshSession& session, const HostBasics& basics, const CachedItem& item);

} // namespace trainyard::remote
