// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace trainyard::run {

// The living processes of this computer in the given process groups, by /proc. A defunct process holds nothing and
// only waits for its parent, so it does not count.
std::vector<std::int64_t> livingInGroups(const std::vector<std::int64_t>& groups);

// True while the process exists and is not defunct.
bool isAlive(std::int64_t pid);

// How many processes the kernel has killed for lack of memory since the computer started (Linux, /proc/vmstat),
// including groups with their own limit; 0 if unknown.
std::int64_t endedForMemory();

} // namespace trainyard::run
