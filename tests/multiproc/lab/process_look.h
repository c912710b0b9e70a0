// SPDX-License-Identifier: GPL-3.0-or-later
// What /proc tells of a process. A process that is gone has nothing: empty texts and lists, parent 0.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::test {

std::string commandLine(std::int64_t pid); // words with a blank after each
std::int64_t parentOf(std::int64_t pid);
// What a process has open: paths, or "socket", "pipe", "anon_inode" and the like without their numbers; sorted.
std::vector<std::string> openOf(std::int64_t pid);

} // namespace trainyard::test
