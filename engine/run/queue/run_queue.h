// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of a workspace: runs that start, one after another or side by side, when there is room for them. The window
// and the terminal change it and read it; its supervisor (queue_supervisor.h) starts what is due.
#pragma once

#include "engine/run/queue/claims.h"
#include "engine/spec/run_spec.h"
#include "engine/store/run_query.h"

namespace trainyard::run {

// An entry that waits, and for what.
struct QueueEntry {
    store::QueueRow row;
    Verdict verdict;
    std::string by{}; // name of the run, sweep or entry that the verdict speaks of
};

// The queue as it is now.
struct QueueView {
    store::QueueSettings settings;
    int active = 0;                  // runs and sweeps that take a slot
    std::vector<QueueEntry> waiting; // in their order
    std::vector<store::QueueRow> refused;
    std::vector<store::QueueRow> starting; // their runs may need a supervisor still
    // Whether there is something for the queue's supervisor to do.
    bool wantsSupervisor() const { return !starting.empty() || (!waiting.empty() && !settings.paused); }
};

// Reads the queue and what is active, and judges. Environment when the database cannot be read.
Result<QueueView> readQueue(store::RunQuery& query, const Room& room);
// "waits for a slot: 1 of 1 is taken": why an entry waits, for the terminal.
std::string describe(const QueueEntry& entry);
// The entry of a number, or else the first of that name among those that wait or were refused. Input with code
// NotQueued and the nearest name when there is none.
Result<store::QueueRow> findEntry(const QueueView& view, const std::string& numberOrName);

// A fork begins with this checkpoint of that run; nothing: from scratch.
struct QueuedFork {
    std::string checkpoint{}, from{};
};
// Checks a run as startRun() does, puts it at the end of the queue and starts the queue's supervisor where there is
// none. A fork's checkpoint is kept for it, whatever its run prunes.
Result<store::QueueRow> enqueue(const store::Workspace& workspace, spec::RunSpec spec, const QueuedFork& fork = {});
// Starts an entry, and is committed in one transaction with its run: it is never started twice. InTurn: not while the
// queue is paused. Returns the run's id. Input with code NotQueued when it does not wait any more; with any other error
// the entry is kept as refused.
Result<std::string> startQueued(const store::Workspace& workspace, const store::QueueRow& entry, store::Taking taking);
// The queue's settings; a queue that is not paused any more has a supervisor again.
Result<void> setQueueSettings(const store::Workspace& workspace, const store::QueueSettings& settings);
// A refused entry waits again.
Result<void> retryQueued(const store::Workspace& workspace, std::int64_t entry);
// Puts back what store::removeQueued() has taken out.
Result<void> restoreQueued(const store::Workspace& workspace, const store::QueueRow& row);

// Starts the queue's supervisor when there is something for it to do and none is running. Whoever opens a workspace
// calls it, so that a queue goes on after the computer was switched off.
Result<void> ensureQueueSupervisor(const store::Workspace& workspace, store::RunQuery& query);

// Where the queue's lock, log and kept checkpoints are.
std::filesystem::path queueFolder(const store::Workspace& workspace);

} // namespace trainyard::run
