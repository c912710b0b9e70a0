// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>
#include <utility>

namespace trainyard::program {

// A file whatever its name: device and inode.
using FileId = std::pair<std::uint64_t, std::uint64_t>;

// The files that processes of these process groups, or these processes, have open for writing, from /proc. What may not
// be looked at is left out: another user's processes, and those that end meanwhile.
std::set<FileId> filesOpenForWriting(const std::set<pid_t>& groups);

// Of a file's name, links followed; {0, 0}: there is none.
FileId fileIdOf(const char* path);

} // namespace trainyard::program
