// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace trainyard::run {

// The processes of this computer that belong to one of the given process groups and still live, by /proc. A defunct
// process holds nothing and waits only for its parent, so it does not count.
std::vector<std::int64_t> livingInGroups(const std::vector<std::int64_t>& groups);

// True while the process exists and is not defunct.
bool isAlive(std::int64_t pid);

// How many processes the kernel has ended for lack of memory since the computer started (Linux, /proc/vmstat), those
// in groups with a limit of their own included; 0 where it is not told.
std::int64_t endedForMemory();

} // namespace trainyard::run
