// SPDX-License-Identifier: GPL-3.0-or-later
// Pruning: which checkpoints of the workspace's runs a rule gives up, what that frees, and deleting them.
#pragma once

#include "engine/run/actions/drop_checkpoints.h"
#include "engine/run/actions/list_checkpoints.h"

namespace trainyard::run {

// What stays of which runs.
struct PruneRule {
    KeepRule keep{};
    bool finishedOnly = true; // else also of runs that were stopped, failed or were interrupted
};

// What is known of a run when its checkpoints are judged.
struct PrunedRun {
    wire::RunStatus status = wire::RunStatus::Finished;
    bool sweepActive = false;    // it is a trial of a sweep that is active
    bool folderReachable = true; // and is the one that was made for the run
};
// Rule: which checkpoints pruning keeps, and why.
// Of each checkpoint why it stays, or No. Nothing of a run that trains, or of a sweep that does; of a run that can be
// resumed the newest stays.
std::vector<KeptFor> judgePrune(const PrunedRun& run, const std::vector<store::CheckpointRow>& rows, const Score& score,
                                const PruneRule& rule);

// A checkpoint with its verdict; of one that is given up, what its file takes.
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

// What it has done.
struct Pruned {
    int deleted = 0;
    std::int64_t freedBytes = 0, sharedBytes = 0;
    std::vector<std::string> left; // what stays against the plan, and why
};
// Deletes what the plan gives up and what the rule still gives up now: a run may train again, and a checkpoint may have
// been pinned. `goesOn` is asked between two runs; what is done by then stays done. What an earlier process has left
// half deleted goes first. Environment: the store cannot be written.
Result<Pruned> pruneCheckpoints(const store::Workspace& workspace, const PrunePlan& plan,
                                const std::function<bool()>& goesOn = {});

} // namespace trainyard::run
