// SPDX-License-Identifier: GPL-3.0-or-later
// Fetches files from a host and resumes cut transfers. Over ordinary channels, as remote/files/transfer.h.
#pragma once

#include "remote/ssh/ssh_session.h"

#include <cstdint>

namespace trainyard::remote {

// A file on the host.
struct FileThere {
    std::string path; // as it was asked for: below the folder, or absolute
    std::int64_t bytes = 0;
    std::string digest; // SHA-256, hexadecimal
};
// The paths that exist; a path may have a * in its last part. Environment: a file cannot be read, or the folder does
// not exist.
Result<std::vector<FileThere>> describeFiles(SshSession& session, const std::string& folder,
                                             const std::vector<std::string>& paths);

// A file to fetch.
struct FileToFetch {
    std::string remote; // absolute
    std::int64_t bytes = 0;
    std::string digest;
    std::filesystem::path local;
};
// Fetches files one after another; each appears under its name when complete. A cut one keeps its part, and the next
// call continues there; skips files that are complete here. `told` gets the bytes here, of all files together, at
// intervals. Environment: a file is not as described, or the disk is full.
Result<void> fetchFiles(SshSession& session, const std::vector<FileToFetch>& files,
                        const std::function<void(std::int64_t)>& told);

} // namespace trainyard::remote
