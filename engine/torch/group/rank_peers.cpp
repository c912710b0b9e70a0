// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/rank_peers.h"

#include "engine/torch/base/peer_lost.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace trainyard::train {
namespace {

std::string ownHostName() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

// Gone, or a zombie that its parent has not yet collected.
bool isDead(std::int64_t pid) {
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    if (!std::getline(stat, line)) return true;
    const auto afterName = line.rfind(')');
    return afterName != std::string::npos && afterName + 2 < line.size() &&
           (line[afterName + 2] == 'Z' || line[afterName + 2] == 'X');
}

} // namespace

Peers Peers::exchange(const ProcessGroup& group, const std::string& interfaceAddress) {
    Peers peers;
    peers.m_rank = group.rank();
    const auto texts = group.gatherText(std::to_string(::getpid()) + " " + ownHostName() + " " + interfaceAddress);
    for (const auto& text : texts) {
        Peer peer;
        std::istringstream(text) >> peer.pid >> peer.host >> peer.address;
        peers.m_peers.push_back(peer);
    }
    return peers;
}

Error Peers::lossError(const std::exception& thrown, const std::string& doing, const std::string& where) const {
    const bool says = dynamic_cast<const PeerLost*>(&thrown) != nullptr;
    const std::string loss =
        says ? thrown.what() : describeLoss(thrown.what()) + " while this rank was in \"" + doing + "\"";
    return runError("lost a peer: " + loss, where, "see the log of the rank that was lost")
        .withCode(ErrorCode::PeerLost);
}

std::string Peers::describeLoss(const std::string& text) const {
    for (int attempt = 0; attempt < 30; ++attempt) {
        if (const auto dead = deadRanks(); !dead.empty()) {
            std::string names;
            for (const int rank : dead) names += (names.empty() ? "" : ", ") + nameOf(rank);
            return names + (dead.size() == 1 ? " was lost" : " were lost");
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    const bool late = text.find("Timed out") != std::string::npos;
    const std::string what = late ? " did not answer in time" : " was lost";
    std::string candidates;
    for (std::size_t r = 0; r < m_peers.size(); ++r)
        if (static_cast<int>(r) != m_rank && text.find("[" + m_peers[r].address + "]") != std::string::npos)
            candidates += (candidates.empty() ? "" : " or ") + nameOf(static_cast<int>(r));
    return (candidates.empty() ? "another rank" : candidates) + what;
}

std::vector<int> Peers::deadRanks() const {
    std::vector<int> dead;
    if (m_peers.empty()) return dead;
    const auto& own = m_peers[static_cast<std::size_t>(m_rank)].host;
    for (std::size_t r = 0; r < m_peers.size(); ++r)
        if (m_peers[r].host == own && isDead(m_peers[r].pid)) dead.push_back(static_cast<int>(r));
    return dead;
}

std::string Peers::nameOf(int rank) const {
    const auto& peer = m_peers[static_cast<std::size_t>(rank)];
    return "rank " + std::to_string(rank) + " (pid " + std::to_string(peer.pid) + " on " + peer.host + ")";
}

} // namespace trainyard::train
