// SPDX-License-Identifier: GPL-3.0-or-later
// What storage_shim.cpp notes of each change of a file, and disk_image.h makes disks of.
#pragma once

#include <cstdint>

namespace trainyard::test {

// The beginning of a record; behind it come the path, the second path and the bytes.
struct TraceRecord {
    static constexpr char kCreate = 'C', kWrite = 'W', kTruncate = 'T', kSync = 'S', kSyncFolder = 'D', kRename = 'R',
                          kUnlink = 'U', kLink = 'L', kMakeFolder = 'M';
    char kind = 0;
    double at = 0;                                 // when it was made, monotonic seconds
    std::uint64_t file = 0;                        // its inode: the names of a file change
    std::int64_t offset = 0;                       // of a write; the new size of a truncation
    std::uint64_t path = 0, second = 0, bytes = 0; // their lengths
};

} // namespace trainyard::test
