// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::run {

// The living processes of this computer in the given process groups, by /proc. A defunct process holds nothing and
// only waits for its parent, so it does not count.
std::vector<std::int64_t> livingInGroups(const std::vector<std::int64_t>& groups);

// The living processes of this user whose environment had this variable with this value when they were started.
std::vector<std::int64_t> livingMarked(const std::string& name, const std::string& value);

// True while the process exists and is not defunct.
bool isAlive(std::int64_t pid);

// How many processes the kernel has killed for lack of memory since the computer started (Linux, /proc/vmstat),
// including groups with their own limit; 0 if unknown.
std::int64_t endedForMemory();

} // namespace trainyard::run
