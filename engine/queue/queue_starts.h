// SPDX-License-Identifier: GPL-3.0-or-later
// Puts runs and sweeps into the queue, and starts its entries.
#pragma once

#include "engine/queue/placement.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/run_query.h"

namespace trainyard::queue {

// A fork begins with this checkpoint of that run; nothing: from scratch.
struct QueuedFork {
    std::string checkpoint{}, from{};
};
// Checks a run as run::startRun() does, puts it at the end of the queue and starts the queue's supervisor where there
// is none. A fork's checkpoint is kept for it, whatever its run prunes.
Result<store::QueueRow> enqueue(const store::Workspace& workspace, spec::RunSpec spec, const QueuedFork& fork = {});
// The same for a sweep, as sweep::startSweep() checks it. One that begins from an earlier sweep takes that one's
// results as they are when it starts, so the earlier one may still train, or wait before it.
Result<store::QueueRow> enqueue(const store::Workspace& workspace, spec::SweepSpec spec);

// Lets a run that waits, or was refused, be trained on these hosts, at its place; none: on this computer. Checked as by
// enqueue(). Input: it is a sweep; with code NotQueued when it does not wait any more.
Result<void> moveToHosts(const store::Workspace& workspace, const store::QueueRow& entry,
                         const std::vector<std::string>& hosts);

// What an entry has become.
struct StartedEntry {
    std::string id{}; // of the run, or of the sweep
    bool isSweep = false;
};
// Starts an entry, and is committed in one transaction with the row of its run or sweep: it is never started twice.
// InTurn: not while the queue is paused. Input with code NotQueued when it does not wait any more; with any other error
// the entry is kept as refused.
// `devices`: as the queue has dealt them to it; a host that is not among them: all. `placement`: where it is to train;
// nothing: what its run file says is decided now.
Result<StartedEntry> startQueued(const store::Workspace& workspace, const store::QueueRow& entry, store::Taking taking,
                                 const Devices& devices = {}, const std::optional<Placement>& placement = {});
// For an entry in the state Starting: the process that committed it may have died before its run or sweep had a
// supervisor. That gets one now, and the entry has started; it is left alone where a supervisor is on its way.
Result<void> finishStart(const store::Workspace& workspace, store::RunQuery& query, const store::QueueRow& entry);

} // namespace trainyard::queue
