// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/program/rank_process.h"
#include "engine/wire/messages.h"

#include <sys/types.h>

namespace trainyard::run {

// What a user can ask of a program while it runs: its stacks, a pause and its end. Signals that the program need not
// know of.
class ProgramRequests {
public:
    // Input, with what to do: not possible with a program, or with this one.
    Result<void> carryOut(wire::CommandKind kind, const RankProcess& process);
    bool isPaused() const { return m_isPaused; }
    void goOn(const RankProcess& process); // if it is paused: it is to end

private:
    bool m_isPaused = false;
};

// Whether the process handles this signal, by /proc; false for one that is gone.
bool handlesSignal(pid_t pid, int number);

} // namespace trainyard::run
