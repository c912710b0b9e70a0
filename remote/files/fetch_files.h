// SPDX-License-Identifier: GPL-3.0-or-later
// Several files from a host, resumed where a cut transfer has left them. Over ordinary channels, as
// remote/files/transfer.h.
#pragma once

#include "remote/ssh/ssh_session.h"

#include <cstdint>

namespace trainyard::remote {

// A file as the host has it.
struct FileThere {
    std::string path; // as it was asked for: below the folder, or absolute
    std::int64_t bytes = 0;
    std::string digest; // SHA-256, hexadecimal
};
// Of those of the paths that are there; a path may have a * in its last part. Environment: one cannot be read, or the
// folder is not there.
Result<std::vector<FileThere>> describeFiles(SshSession& session, const std::string& folder,
                                             const std::vector<std::string>& paths);

// One that is to come.
struct FileToFetch {
    std::string remote; // absolute
    std::int64_t bytes = 0;
    std::string digest;
    std::filesystem::path local;
};
// Brings them one after another; each appears under its name when it is whole. What has come of one that is cut stays
// beside it, and the next call continues there; a file that is whole here is not asked for. `told` gets the
// bytes that are here, of all files together, now and then. Environment: one is not what it was said to be, or the disk
// is full.
Result<void> fetchFiles(SshSession& session, const std::vector<FileToFetch>& files,
                        const std::function<void(std::int64_t)>& told);

} // namespace trainyard::remote
