// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace trainyard {

// Rule: how many cores there are.
// Those in the affinity mask that this process started with, limited by the CPU quota of its cgroup (rounded up;
// cgroup v2). At least 1. Pinning a thread to one core changes nothing.
int availableCores();

// Gives the calling thread, or every thread of this process, the cores back that the process started with: after ranks
// have changed cores with one another, and in a thread made by one that was moved.
void useAllCores();
void useAllCoresInEveryThread();

// The quota of a cgroup's cpu.max ("200000 100000" is 2 cores), rounded up; 0: none, or no such text.
int coresOfQuota(std::string_view cpuMax);

} // namespace trainyard
