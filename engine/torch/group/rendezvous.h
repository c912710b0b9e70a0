// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank of trainyard-worker and one of a program on the library do alike to come into their group.
#pragma once

#include "engine/torch/group/process_group.h"
#include "engine/torch/group/rank_channel.h"
#include "engine/torch/group/rank_peers.h"

namespace trainyard::train {

// The first frame of this process.
wire::Hello helloOfThisProcess();

// Ends the process: the supervisor is gone or sends nonsense, so the error cannot be reported.
[[noreturn]] void exitOrphaned(const Error& error);

struct JoinedGroup {
    ProcessGroup group = ProcessGroup::single();
    Peers peers;
};

// What a rank brings to the rendezvous.
struct RendezvousOptions {
    bool nccl = false;
    bool oneHost = false;                   // ranks on one host may talk through memory (GroupOptions)
    PeerConnections* connections = nullptr; // GroupOptions
    std::chrono::milliseconds limit = GroupOptions{}.timeout; // of one collective
};

// Collective: the group of the start frame, whose ranks find each other over the supervisor's channel. Run: the others
// do not come, or a connection to them cannot be made.
Result<JoinedGroup> rendezvous(const wire::Start& start, RankChannel& channel, const RendezvousOptions& how);

} // namespace trainyard::train
