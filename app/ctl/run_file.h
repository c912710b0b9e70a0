// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"
#include "engine/queue/queue_starts.h"

namespace trainyard::ctl {

// How a sweep is started.
struct SweepWays {
    bool detach = false;
    bool queue = false; // in its turn: it is added to the queue, which says where it stands
};
// Starts the sweep of this text, here or on the host session.on; `file` is for messages, and its folder for a "runFile"
// entry.
int startSweepText(const Session& session, const std::string& text, const std::string& file, SweepWays ways);

// RUN[@CHECKPOINT]: "best" (the default where there is one), "last", or a step. Of a run that lives on a host, too,
// where that file was fetched.
Result<store::CheckpointRow> findCheckpoint(const Session& session, const std::string& runAtCheckpoint);

// What names the hosts of a cluster that is up in a run or sweep file: of them those are taken that are the least busy.
// Input: there is no such cluster.
Result<std::vector<std::string>> overridesOfCluster(const std::string& cluster);
// Adds the run or sweep of a file to the queue, to be trained on a cluster's hosts.
int submitToCluster(const Session& session, const std::string& cluster, const std::string& file,
                    const std::vector<std::string>& overrides);

// The run of RUN[@CHECKPOINT]; a name that has an @ itself is one.
Result<store::RunRow> runAt(store::RunQuery& query, const std::string& runAtCheckpoint);
// The same, also of a run that lives on a host.
Result<store::RunRow> runOf(const Session& session, const std::string& runAtCheckpoint);

// What `run` does once a run is started: its id with --detach, else it is followed to its end.
int afterStart(const Session& session, const store::Workspace& workspace, const std::string& run, bool detach);
// The same for a sweep.
int afterSweepStart(const Session& session, const store::Workspace& workspace, const std::string& sweep, bool detach);

// Says where an entry that was just added stands.
int tellQueued(const Session& session, const store::Workspace& workspace, const Result<store::QueueRow>& added);

} // namespace trainyard::ctl
