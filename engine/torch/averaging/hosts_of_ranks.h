// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/group/process_group.h"

#include <vector>

namespace trainyard::train {

// Which ranks can share memory: those of one user on one kernel, that see one another's processes.
struct HostsOfRanks {
    std::vector<std::vector<int>> hosts; // ranks of each, ascending; hosts by their first rank
    std::size_t host = 0, index = 0;     // this rank's host, and its index there

    // Collective.
    static HostsOfRanks find(const ProcessGroup& group);
    const std::vector<int>& own() const { return hosts[host]; }
    std::vector<int> firsts() const; // the first rank of each host
};

} // namespace trainyard::train
