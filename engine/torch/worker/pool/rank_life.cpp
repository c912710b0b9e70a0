// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/pool/rank_life.h"

#include "engine/base/clock.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/base/peer_lost.h"
#include "engine/torch/kernels/memory_pool.h"

#include <unistd.h>

#include <cstdio>
#include <malloc.h>

namespace trainyard::train {

void serveRank(const std::function<int()>& rank) {
    // Activations come and go each step: kept by the pool, and what oneDNN needs by malloc, they cost no page faults.
    kernels::useMemoryPool();
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
    ::mallopt(M_TRIM_THRESHOLD, -1);
    const int code = rank();
    std::fflush(nullptr);
    ::_exit(code); // a group with a lost peer cannot be torn down in order, and there is nothing left to keep
}

RankLife::RankLife(int readFd, int writeFd, double begun)
    : m_begun(begun), m_channel({.readFd = readFd, .writeFd = writeFd, .onLost = exitOrphaned, .onRegroup = [this] {
                                     m_connections.shutDown();
                                 }}) {
    installRankSignals(m_channel, m_channel.progress());
    m_channel.send(helloOfThisProcess());
}

RankLife::~RankLife() { forgetRankSignals(); }

int RankLife::run(const std::function<Result<wire::Finished>()>& train) {
    m_start = m_channel.waitForStart();
    setRank(m_start.rank);
    m_channel.startHeartbeats();
    enter(wire::Phase::Start);
    const auto outcome = train();
    if (!outcome) return leaveIfOrphaned(fail(outcome.error()));
    m_channel.send(*outcome);
    m_endedWell = m_channel.flush(std::chrono::seconds(m_channel.isOrphaned() ? 1 : 10));
    return leaveIfOrphaned(outcome->stopped ? exitCode(ErrorKind::Stopped) : 0);
}

// The channel's thread may wait for a supervisor that does not read, and cannot be waited for.
int RankLife::leaveIfOrphaned(int code) const {
    if (!m_channel.isOrphaned()) return code;
    std::fflush(nullptr);
    ::_exit(code);
}

int RankLife::fail(const Error& error) {
    std::fprintf(stderr, "failed: %s\n", error.text().c_str());
    wire::Failed failed{error, progress().step};
    if (error.where.empty()) failed.error.where = m_where;
    m_channel.send(failed);
    m_channel.flush(std::chrono::seconds(2));
    return exitCode(error.kind);
}

void RankLife::enter(wire::Phase phase, const std::string& detail) {
    m_channel.send(wire::PhaseChange{phase, monotonicSeconds() - m_begun, detail});
}

Result<void> RankLife::checkRank() const {
    if (m_start.worldSize >= 1 && m_start.rank >= 0 && m_start.rank < m_start.worldSize) return {};
    return inputError("rank " + std::to_string(m_start.rank) + " of " + std::to_string(m_start.worldSize) +
                          " ranks cannot be",
                      "start frame");
}

Result<ProcessGroup> RankLife::joinGroup(RendezvousOptions how) {
    how.connections = &m_connections;
    TY_ASSIGN(auto joined, rendezvous(m_start, m_channel, how));
    m_peers = std::move(joined.peers);
    return std::move(joined.group);
}

void RankLife::moveToGroup(const wire::Regroup& regroup) {
    m_start.generation = regroup.generation;
    m_start.worldSize = regroup.worldSize;
    m_start.localRank = regroup.localRank;
    m_start.localWorldSize = regroup.localWorldSize;
    setRank(regroup.rank);
}

void RankLife::setRank(int rank) {
    m_start.rank = rank;
    setRankForSignals(rank);
    m_where = "rank " + std::to_string(rank);
}

bool RankLife::meansLostPeer(const std::exception& thrown) const {
    // Alone, only what says so itself: others are to join this rank.
    return isPeerLoss(thrown) && (m_start.worldSize > 1 || dynamic_cast<const PeerLost*>(&thrown) != nullptr);
}

Error RankLife::errorOf(const std::exception& thrown) {
    if (!meansLostPeer(thrown)) return errorFrom(thrown, m_where);
    return m_peers.lossError(thrown, progress().doing(), m_where);
}

} // namespace trainyard::train
