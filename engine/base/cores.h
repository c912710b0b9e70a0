// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard {

// How many cores this process may use: those of its affinity mask, but no more than its cgroup's quota of CPU time
// allows (rounded up; cgroup v2). At least 1. The mask is asked for each time, the quota is read once.
int availableCores();

// The quota of a cgroup's cpu.max ("200000 100000" is 2 cores), rounded up; 0: none, or no such text.
int coresOfQuota(std::string_view cpuMax);

} // namespace trainyard
