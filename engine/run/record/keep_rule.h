// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which checkpoints of a run are kept, as values: for the supervisor after every save, and for pruning by
// hand.
#pragma once

#include "engine/run/record/run_score.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace trainyard::run {

// Which checkpoints of a run are kept. Pinned ones always are.
struct KeepRule {
    int best = 1;    // the best so many, by the run's score
    int last = 1;    // the newest so many
    int atLeast = 0; // so many stay in any case, the newest ones
    // Gives up only those saved before this time, in ms since 1970.
    std::int64_t savedBefore = std::numeric_limits<std::int64_t>::max();
    // Deletes the oldest while all kept ones are larger together, but never the best, the newest, pinned ones and
    // `atLeast`; 0: no limit.
    std::int64_t budgetBytes = 0;
};

// Why a checkpoint stays; reasons from Resume on are for pruning only (prune_checkpoints.h).
enum class KeptFor {
    No,
    Pinned,
    Best,
    Last,
    AtLeast,
    Young,      // saved too lately
    Resume,     // its run would be resumed from it
    Active,     // its run is training
    Sweep,      // its run is a trial of a sweep that is active, which may go on with it
    Unfinished, // its run has not finished, and only runs that have are asked for
    NoFolder,   // its run's folder cannot be reached, or is not the one that was made for it
    Program,    // its run's program has saved it: it is the user's
};
const char* toString(KeptFor kept); // "pinned": the word in JSON; "" for No

// Rule: which checkpoints a supervisor keeps, and why.
// For each row the reason why it stays. Rows as RunQuery::checkpoints() returns them; superseded ones are neither best
// nor newest.
std::vector<KeptFor> judgeKept(const std::vector<store::CheckpointRow>& rows, const Score& score, const KeepRule& rule);

// The rows with a finite score, best first, the earliest of equals; without superseded ones.
std::vector<std::size_t> rankedByScore(const std::vector<store::CheckpointRow>& rows, const Score& score);

// A checkpoint's marks for people and JSON: "pinned", "best", "last", "superseded"; "periodic" without any.
std::vector<std::string> checkpointWords(const store::CheckpointRow& row);

} // namespace trainyard::run
