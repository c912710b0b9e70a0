// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/run/launch/launcher.h"
#include "engine/run/program/fork/fork_messages.h"

#include <optional>
#include <string>

namespace trainyard::run {

// A rank that a fork server has forked for this process. Its parent is a process of the server, the holder, which is
// the subreaper of all that the rank starts: it tells how the rank ends, and keeps the rank's number until this object
// lets go. When this process ends, however that is, the kernel kills the rank, and the holder all that it has left.
class ForkedRank {
public:
    // `line`: over which the rank was asked for; `life`: sendForkRequest().
    ForkedRank(UniqueFd line, UniqueFd life, const ForkReply& reply);
    ~ForkedRank(); // kills what is left

    pid_t pid() const { return m_rank; }
    pid_t holder() const { return m_holder; }
    int fd() const { return m_line.get(); } // for poll(): readable when it has ended
    // How it ended; nothing while it runs. Never blocks.
    std::optional<ExitStatus> exitStatus();
    // Once it has ended: why it has to be started as a program; empty: it has run.
    const std::string& unfit() const { return m_unfit; }
    // Lets the holder go and waits until it is gone, at most these seconds. What the rank has left is killed.
    void release(double seconds);

private:
    UniqueFd m_line, m_life;
    pid_t m_rank, m_holder;
    std::optional<ExitStatus> m_exit{};
    std::string m_unfit{};
};

} // namespace trainyard::run
