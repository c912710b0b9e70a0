// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/store/store.h"

#include <sys/types.h>

#include <filesystem>

namespace trainyard::run {

// How a supervisor depends on the process that started it.
enum class Detachment {
    Full,     // reparented: it outlives this process and leaves no zombie
    OwnChild, // its own session, but this process waits for it (waitpid)
    Tied,     // as OwnChild, and it saves and stops its run when the thread that started it ends
};

// Starts `trainyardctl COMMAND FOLDER` in a session of its own, with its output in FOLDER/supervisor.log. Returns its
// pid once the program runs. Safe in a process with threads. Environment: it cannot start. Hands over the folder's
// lock, if given, so it is never free in between.
Result<pid_t> spawnSupervisor(const std::string& command, const std::filesystem::path& folder, Detachment detachment,
                              const store::RunLock* lock = nullptr);

// In the started process: the lock that was handed over, or else the folder's, once it is free. Environment: another
// process keeps it.
Result<store::RunLock> lockOfSupervisor(const std::filesystem::path& folder);

// Starts `trainyardctl supervise-slot FOLDER` as a child of this process, as above; `line` goes over to it
// (slot_line.h).
Result<pid_t> spawnSlot(const std::filesystem::path& folder, int line);

// Starts `trainyard-relay guard FOLDER`, which outlives this process; `line` goes over to it as descriptor kGuardLine.
Result<pid_t> spawnGuard(const std::filesystem::path& folder, int line);
inline constexpr int kGuardLine = 4;

// In the started process: the line, once. Input: it was given none.
Result<UniqueFd> lineOfSlot();

} // namespace trainyard::run
