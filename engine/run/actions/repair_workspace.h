// SPDX-License-Identifier: GPL-3.0-or-later
// The record of a workspace, made again from what the runs' folders hold: its database is gone, or damaged.
#pragma once

#include "engine/store/run_query.h"

namespace trainyard::run {

// The folders of runs/ with a run that the database knows nothing of, oldest first: ids. Not those that a process may
// be making at this moment. `known`: as RunQuery::runs(true).
std::vector<std::string> unrecordedRuns(const store::Workspace& workspace, const std::vector<store::RunRow>& known);
// What to say of so many of them.
Error unrecordedError(const store::Workspace& workspace, std::size_t count);

struct RepairedRun {
    store::RunRow row;
    std::size_t checkpoints = 0;
    std::int64_t points = 0;
    bool fromRecord = false; // out of the damaged database, with its log and events; else from its folder
};
// What a repair has brought back.
struct Repaired {
    std::vector<RepairedRun> runs; // that came back, oldest first
    std::vector<Error> leftOut;    // with the folder, and why it is none
    std::filesystem::path aside;   // where the damaged database is; empty: it was not damaged
};

// Brings back every run that the database does not know. A damaged database is moved aside, and what of it can still be
// read is taken over. From a folder alone come the run file, the checkpoints with the points that they hold, and the
// points of its TensorBoard file; such a run is finished where its newest checkpoint is at its end, else interrupted,
// so that it can be resumed. Environment: the database cannot be read or written now, or is damaged and a process still
// records into it.
Result<Repaired> repairWorkspace(const store::Workspace& workspace);

} // namespace trainyard::run
