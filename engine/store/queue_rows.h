// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of runs that wait for their turn, as it stands in the database. Any process may write it; each call below
// is one transaction. What starts when is decided by engine/queue.
#pragma once

#include "engine/store/store.h"

namespace trainyard::store {

enum class QueueState {
    Waiting,
    Starting, // its run is in the record; whether that run has a supervisor has not been confirmed yet
    Started,
    Refused, // its run could not be made; the row says why
    Unknown, // a word in the database that this version does not know; never written
};
const char* toString(QueueState state); // "waiting": the word in the database
QueueState queueStateFromString(std::string_view word);

// An entry of the queue.
struct QueueRow {
    std::int64_t id = 0;
    std::int64_t place = 0; // entries wait in the order of their places, then of their ids
    QueueState state = QueueState::Waiting;
    std::string name{}, specJson{}; // of the run to be; the file is empty once it has started
    std::string checkpoint{};       // file that a fork begins with; empty: from scratch
    std::string forkedFrom{};       // id of the run that it is of
    std::int64_t addedMs = 0;
    std::string run{}; // id, once it has started
    Error error{};     // of Refused
};

inline constexpr int kMaxQueueSlots = 64;

// How the queue of a workspace starts its entries.
struct QueueSettings {
    int slots = 1; // how many runs and sweeps of the workspace may be active for the queue to start another
    bool paused = false;
    bool operator==(const QueueSettings&) const = default;
};

// The queue at one moment: entries in their order, but for those that have started.
struct Queue {
    QueueSettings settings;
    std::vector<QueueRow> rows;
};

// Puts a run at the end of the queue; returns its row with id and place.
Result<QueueRow> addQueued(const Workspace& workspace, QueueRow row);
// Moves a waiting entry to a place among those that wait, 1 being the first; beyond the last means the last. Input with
// code NotQueued when it does not wait.
Result<void> moveQueued(const Workspace& workspace, std::int64_t entry, std::int64_t place);
// Takes out an entry that waits or was refused; returns its row, which restoreQueued() puts back. Input with code
// NotQueued when there is none.
Result<QueueRow> removeQueued(const Workspace& workspace, std::int64_t entry);
Result<void> restoreQueued(const Workspace& workspace, const QueueRow& row);
// Keeps why a waiting entry cannot be started. Nothing happens to one that does not wait.
Result<void> refuseQueued(const Workspace& workspace, std::int64_t entry, const Error& why);
// A refused entry waits again, at its place. Input with code NotQueued when it was not refused.
Result<void> retryQueued(const Workspace& workspace, std::int64_t entry);
// A starting entry has started: its run has, or had, a supervisor.
Result<void> confirmStarted(const Workspace& workspace, std::int64_t entry);
// Input when the number of slots is not 1 to kMaxQueueSlots.
Result<void> setQueueSettings(const Workspace& workspace, const QueueSettings& settings);

} // namespace trainyard::store
