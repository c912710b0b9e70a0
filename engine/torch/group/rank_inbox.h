// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/wire/messages.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace trainyard::train {

// What a supervisor has sent to a rank, for the threads that wait for it. Every function may be called from any thread.
class RankInbox {
public:
    void put(wire::Message message); // a Start, Regroup, Command or StoreReply
    void wake();                     // whoever waits looks whether to give up
    void end();                      // nothing more comes: ends all waits

    wire::Start waitForStart();
    int localRank() const; // among the ranks on this computer, in the newest group; -1: not known yet

    // The newest Regroup of a generation after `generation`; waits for it. Run error when it does not come in time, or
    // `givesUp`.
    Result<wire::Regroup> waitForRegroup(int generation, std::chrono::milliseconds timeout,
                                         const std::function<bool()>& givesUp);
    int newestGeneration() const { return m_generation; } // of the Regroups; -1: none came

    bool commandWaits() const { return m_commandWaits.load(std::memory_order_relaxed); }
    std::vector<wire::Command> takeCommands();

    // Numbers a request, lets `send` send it and waits for its reply. Run error when that does not come in time, a
    // Regroup comes first, or `givesUp`.
    Result<wire::StoreReply> ask(const std::function<void(std::int64_t)>& send, std::chrono::milliseconds timeout,
                                 const std::function<bool()>& givesUp);

private:
    mutable Mutex m_mutex;
    Condition m_arrived;
    bool m_ended TY_GUARDED_BY(m_mutex) = false;
    std::optional<wire::Start> m_start TY_GUARDED_BY(m_mutex);
    std::optional<wire::Regroup> m_regroup TY_GUARDED_BY(m_mutex);
    std::atomic<int> m_generation{-1};
    std::vector<wire::Command> m_commands TY_GUARDED_BY(m_mutex);
    std::atomic<bool> m_commandWaits{false};
    std::map<std::int64_t, std::optional<wire::StoreReply>> m_replies TY_GUARDED_BY(m_mutex); // of those waited for
    std::int64_t m_nextRequest TY_GUARDED_BY(m_mutex) = 1;
};

} // namespace trainyard::train
