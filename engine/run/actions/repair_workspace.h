// SPDX-License-Identifier: GPL-3.0-or-later
// Rebuilds a workspace's database from the runs' folders after it was lost or damaged.
#pragma once

#include "engine/store/run_query.h"

namespace trainyard::run {

// Ids of the folders in runs/ that hold a run unknown to the database, oldest first, without those that a process may
// be creating now. `known`: as RunQuery::runs(true).
std::vector<std::string> unrecordedRuns(const store::Workspace& workspace, const std::vector<store::RunRow>& known);
// The error that reports `count` of them.
Error unrecordedError(const store::Workspace& workspace, std::size_t count);

struct RepairedRun {
    store::RunRow row;
    std::size_t checkpoints = 0;
    std::int64_t points = 0;
    bool fromRecord = false; // out of the damaged database, with its log and events; else from its folder
};
// The result of a repair.
struct Repaired {
    std::vector<RepairedRun> runs; // that came back, oldest first
    std::vector<Error> leftOut;    // with the folder, and why it is none
    std::filesystem::path aside;   // where the damaged database is; empty: it was not damaged
};

// Brings back every run that the database does not know. Moves a damaged database aside and takes over everything
// readable in it. A folder alone gives the run file, the checkpoints with their points, and the points of its
// TensorBoard file; such a run is finished if its newest checkpoint is at its end, else interrupted, so that it can be
// resumed. Environment: the database cannot be read or written now, or it is damaged and a process still records into
// it.
Result<Repaired> repairWorkspace(const store::Workspace& workspace);

} // namespace trainyard::run
