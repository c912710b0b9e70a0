// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/torch/group/process_group.h"

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace trainyard::train {

// The identities of the other ranks, exchanged at rendezvous, so that a lost connection can be attributed to a rank:
// Gloo reports only an address and a port.
class Peers {
public:
    // Collective.
    static Peers exchange(const ProcessGroup& group, const std::string& interfaceAddress);

    // The Run error, with the code PeerLost, of an exception for which isPeerLoss() holds: "lost a peer: rank 1 (pid
    // 4711 on node3) was lost while this rank was in "all-reduce of bucket 2"". A process on this host that is gone is
    // named; else the ranks of the host whose address Gloo names; else it says that some rank was lost. Waits up to
    // 0.3 s for the kernel to show a death.
    Error lossError(const std::exception& thrown, const std::string& doing, const std::string& where) const;

private:
    struct Peer {
        std::int64_t pid = 0;
        std::string host, address;
    };
    std::string describeLoss(const std::string& text) const;
    std::vector<int> deadRanks() const;
    std::string nameOf(int rank) const;

    std::vector<Peer> m_peers; // by rank
    int m_rank = 0;
};

} // namespace trainyard::train
