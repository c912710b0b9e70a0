// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/launch/programs.h"

namespace trainyard::run {

class PoolConnection;

// The frames and the stderr of a new worker: this program's non-blocking ends, and the worker's.
struct WorkerChannels {
    UniqueFd frames, log, workerFrames, workerLog;
    static Result<WorkerChannels> make();
};

// Starts ranks by forking a process that has LibTorch loaded, which takes some milliseconds where a program start takes
// hundreds. `trainyard-worker pool` is that process: one for a user, a worker program and everything that a rank would
// inherit implicitly (limits, cores, namespaces, variables that libraries read while they are loaded). It is started on
// demand, outlives the run, so that the next one is warm, and ends after some minutes without work. When a
// launcher dies, its ranks end by themselves (dead_mans_switch.h); the pool wakes those that are stopped. When the pool
// itself dies, its ranks continue. When the program's file is replaced, a pool
// goes on for those who are connected to it, and none is started from here: it would be of another version.
class WorkerPool {
public:
    explicit WorkerPool(const ProgramFile& worker); // outlives this
    ~WorkerPool();

    // Whether the pool may be used (pool_connection.h), and has not failed before.
    bool serves(const LaunchRequest& request) const;

    // If it fails, start the program instead. Blocks for some milliseconds, or while the pool starts.
    Result<std::unique_ptr<WorkerProcess>> launch(const LaunchRequest& request);

private:
    Result<void> connect(const LaunchRequest& request);

    const ProgramFile& m_worker;
    std::shared_ptr<PoolConnection> m_connection;
    bool m_failed = false;
};

} // namespace trainyard::run
