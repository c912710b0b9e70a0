// SPDX-License-Identifier: GPL-3.0-or-later
// Pruning: which checkpoints of the workspace's runs a rule gives up, how much space that frees, and deleting them.
#pragma once

#include "engine/run/actions/drop_checkpoints.h"
#include "engine/run/actions/list_checkpoints.h"
#include "engine/run/actions/prune_code.h"

namespace trainyard::run {

// Which checkpoints stay, and of which runs.
struct PruneRule {
    KeepRule keep{};
    bool finishedOnly = true; // else also of runs that were stopped, failed or were interrupted
};

// The facts about a run by which its checkpoints are judged.
struct PrunedRun {
    wire::RunStatus status = wire::RunStatus::Finished;
    bool sweepActive = false;    // it is a trial of a sweep that is active
    bool folderReachable = true; // and is the one that was made for the run
};
// Rule: which checkpoints pruning keeps, and why.
// For each checkpoint, the reason why it stays, or No. Keeps all checkpoints of a run that trains or belongs to a
// running sweep, and the newest of a run that can be resumed.
std::vector<KeptFor> judgePrune(const PrunedRun& run, const std::vector<store::CheckpointRow>& rows, const Score& score,
                                const PruneRule& rule);

// A checkpoint with its verdict, and the size of its file if it is given up.
struct PlannedCheckpoint {
    store::CheckpointRow row;
    KeptFor kept = KeptFor::No;
    FileBytes file{};
};
// A run with all its checkpoints.
struct PlannedRun {
    store::RunRow run;
    std::vector<PlannedCheckpoint> checkpoints;
};

// What pruning would do.
struct PrunePlan {
    PruneRule rule;
    std::vector<PlannedRun> runs;
    int deletes = 0;              // checkpoints
    std::int64_t freedBytes = 0;  // of the disk
    std::int64_t sharedBytes = 0; // of files that a fork, a trial or the queue has, too: nothing is freed
};
Result<PrunePlan> planPrune(store::RunQuery& query, const std::vector<RunCheckpoints>& runs, const PruneRule& rule);

// The result of pruning.
struct Pruned {
    int deleted = 0;
    std::int64_t freedBytes = 0, sharedBytes = 0;
    std::vector<std::string> left; // what stays against the plan, and why
    program::PrunedCode code;      // snapshots of programs that no run needs any more
};
// Deletes what the plan gives up, unless the rule keeps it now: the run may train again, or the checkpoint may have
// been pinned; and snapshots of code that nothing needs. Finishes first what an earlier process left half deleted.
// Calls `goesOn` between two runs; deletions made by then stand. Environment: the store cannot be written.
Result<Pruned> pruneCheckpoints(const store::Workspace& workspace, const PrunePlan& plan,
                                const std::function<bool()>& goesOn = {});

} // namespace trainyard::run
