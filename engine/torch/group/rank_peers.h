// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/group/process_group.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::train {

// Who the other ranks are, exchanged when the group meets, so that a lost connection can be put down to a rank: what
// Gloo says of it is an address and a port.
class Peers {
public:
    // Collective.
    static Peers meet(const ProcessGroup& group, const std::string& interfaceAddress);

    // True when an exception's text is that of a collective that lost a peer or gave up waiting.
    static bool meansLostPeer(const std::string& text);
    // The sentence for the user: "rank 1 (pid 4711 on node3) was lost". A process on this host that is gone is named;
    // else the ranks of the host whose address Gloo names; else it says that some rank was lost. Waits up to 0.3 s for
    // the kernel to show a death.
    std::string describeLoss(const std::string& text) const;

private:
    struct Peer {
        std::int64_t pid = 0;
        std::string host, address;
    };
    std::vector<int> deadRanks() const;
    std::string nameOf(int rank) const;

    std::vector<Peer> m_peers; // by rank
    int m_rank = 0;
};

} // namespace trainyard::train
