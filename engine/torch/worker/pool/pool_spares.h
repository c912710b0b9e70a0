// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/run/launch/pool/pool_protocol.h"
#include "engine/spec/run/run_spec.h"

#include <sys/types.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace trainyard::train {

// Ranks that the pool forks ahead of any request. Each has run a training step of the newest run, so the pages that a
// step writes to are already copied and its kernels compiled; then it waits for a request and becomes that rank. It
// ends when the pool does.
class StandbyWorkers {
public:
    // In a forked process: becomes the rank that the message (a pool request) asks for. Never returns.
    using Become = std::function<void(std::string_view message, const run::RankFds& fds)>;
    StandbyWorkers(Become become, std::function<void()> showAsSpare);
    ~StandbyWorkers() { letGo(); }

    // Has as many as the run has ranks on one host, but no more than there are cores, warmed up for it; those of a run
    // that is computed otherwise are ended. Forks: call it in a process of one thread that has time.
    void keepFor(const spec::RunSpec& run);
    void letGo(); // ends all

    // Passes a request on; the spare's pid, or -1 when there is none. Its setpgid() is done. One that is still
    // warming up goes no further with it.
    pid_t give(std::string_view message, const run::RankFds& fds);
    void forget(pid_t pid) { m_spares.erase(pid); } // it has ended, or was none

private:
    void add(const spec::RunSpec& run);
    [[noreturn]] void wait(const spec::RunSpec& run, int line);

    const Become m_become;
    const std::function<void()> m_showAsSpare;
    std::map<pid_t, UniqueFd> m_spares; // and the lines to them
    std::string m_kind;                 // of run that they are warmed up for
};

} // namespace trainyard::train
