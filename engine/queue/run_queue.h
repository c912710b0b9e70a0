// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of a workspace: runs and sweeps that start, one after another or side by side, when there is room for them.
// The window and the terminal change it (queue_starts.h) and read it; its supervisor (queue_supervisor.h) starts what
// is due.
#pragma once

#include "engine/base/text/sentence.h"
#include "engine/queue/placement.h"
#include "engine/store/run_query.h"

namespace trainyard::queue {

// An entry that waits, and for what.
struct QueueEntry {
    store::QueueRow row;
    Verdict verdict;
    std::optional<Placement> placement{}; // that the verdict is about, of a run that is placed when it starts
    std::string by{};                     // name of the run, sweep or entry that the verdict speaks of
};

// The queue as it is now.
struct QueueView {
    store::QueueSettings settings;
    int active = 0;                  // runs and sweeps that take a slot
    std::vector<QueueEntry> waiting; // in their order
    std::vector<store::QueueRow> refused;
    std::vector<store::QueueRow> starting; // they may need a supervisor still
    // Whether there is something for the queue's supervisor to do.
    bool wantsSupervisor() const { return !starting.empty() || (!waiting.empty() && !settings.paused); }
};

// Whether an entry is a sweep, as its file says, and not a run.
bool isSweep(const store::QueueRow& row);
// Reads the queue and what is active, and judges. Environment when the database cannot be read.
Result<QueueView> readQueue(store::RunQuery& query, const run::Room& room);
// "waiting for a slot: 1 of 1 in use": why an entry waits.
Sentence describe(const QueueEntry& entry);
// The entry of a number, or else the first of that name among those that wait or were refused. Input with code
// NotQueued and the nearest name when there is none.
Result<store::QueueRow> findEntry(const QueueView& view, const std::string& numberOrName);

// The queue's settings; a queue that is not paused any more has a supervisor again.
Result<void> setQueueSettings(const store::Workspace& workspace, const store::QueueSettings& settings);
// A refused entry waits again.
Result<void> retryQueued(const store::Workspace& workspace, std::int64_t entry);
// Puts back what store::removeQueued() has taken out.
Result<void> restoreQueued(const store::Workspace& workspace, const store::QueueRow& row);

// Starts the queue's supervisor when there is something for it to do and none is running. Whoever opens a workspace
// calls it, so that a queue goes on after the computer was switched off.
Result<void> ensureQueueSupervisor(const store::Workspace& workspace, store::RunQuery& query);
Result<void> ensureQueueSupervisor(const store::Workspace& workspace); // with a query of its own

// Where the queue's lock, log and kept checkpoints are.
std::filesystem::path queueFolder(const store::Workspace& workspace);

} // namespace trainyard::queue
