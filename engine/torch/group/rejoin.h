// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/group/process_group.h"

#include <exception>

namespace trainyard::train {

// Where a trainer whose group has lost a member gets the next group from: the supervisor names its members.
class GroupSource {
public:
    virtual ~GroupSource() = default;
    // True when the group's exception means that a peer was lost and a next group may come; then tells the supervisor.
    virtual bool mayRejoin(const std::exception& thrown) = 0;
    // Waits for the supervisor's Regroup and joins the rendezvous. The lost group must have been released. Run error:
    // there will be no next group. Throws what the rendezvous throws when another rank is lost in turn.
    virtual Result<ProcessGroup> nextGroup() = 0;
};

} // namespace trainyard::train
