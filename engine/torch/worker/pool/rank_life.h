// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/group/peer_connections.h"
#include "engine/torch/group/rank_channel.h"
#include "engine/torch/group/rank_peers.h"
#include "engine/torch/group/rendezvous.h"
#include "engine/torch/worker/pool/rank_signals.h"

#include <exception>
#include <functional>
#include <string>

namespace trainyard::train {

// Runs a rank with memory set up as training needs it, and ends the process with the exit code that it gives.
[[noreturn]] void serveRank(const std::function<int()>& rank);

// The life of a rank's process, whatever trains in it: the trainer (engine/torch/worker/pool/rank.cpp) or a program's
// own function (engine/torch/api/rank_session.cpp). Used by the training thread; only the channel has threads.
class RankLife {
public:
    // Greets the supervisor. `begun`: when the process was asked to become a rank (monotonic seconds).
    RankLife(int readFd, int writeFd, double begun);
    ~RankLife();
    RankLife(const RankLife&) = delete;
    RankLife& operator=(const RankLife&) = delete;

    RankChannel& channel() { return m_channel; }
    const RankChannel& channel() const { return m_channel; }
    Progress& progress() { return m_channel.progress(); }
    wire::Start& start() { return m_start; }
    const wire::Start& start() const { return m_start; }
    const std::string& where() const { return m_where; } // "rank 1"

    // Waits for the start frame, lets `train` do what it asks for, and tells the supervisor how that ended. Returns the
    // exit code of the terminal contract.
    int run(const std::function<Result<wire::Finished>()>& train);
    // After run(): the supervisor allows it, and the run has ended well, or has stopped when asked by frame.
    bool mayStay() const { return m_endedWell && m_start.mayStay && !wasTerminated(); }
    void enter(wire::Phase phase, const std::string& detail = {});
    // Input: the start frame names a rank that cannot be.
    Result<void> checkRank() const;
    // Collective: see rendezvous(). A Regroup ends the group's connections, and none besides.
    Result<ProcessGroup> joinGroup(RendezvousOptions how);
    void moveToGroup(const wire::Regroup& regroup); // in the next group

    // It says that a collective has lost another rank.
    bool meansLostPeer(const std::exception& thrown) const;
    // The error to report to the supervisor; a lost peer is named if it can be identified.
    Error errorOf(const std::exception& thrown);

private:
    void setRank(int rank);
    int fail(const Error& error);
    int leaveIfOrphaned(int code) const;

    const double m_begun;
    PeerConnections m_connections;
    RankChannel m_channel;
    wire::Start m_start;
    std::string m_where;
    Peers m_peers;
    bool m_endedWell = false;
};

} // namespace trainyard::train
