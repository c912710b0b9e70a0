// SPDX-License-Identifier: GPL-3.0-or-later
// Folders copied to a place on a host and back: what differs travels as one stream, and each file appears when it is
// whole. Nothing is deleted on either side.
#pragma once

#include "remote/files/folder_digests.h"
#include "remote/ssh/ssh_session.h"

namespace trainyard::remote {

// What a copy has moved.
struct CopyEnd {
    std::size_t files = 0;
    std::int64_t bytes = 0;
};

// Whether files are overwritten that differ and are newer (by their time, clocks of both sides compared) than what
// would replace them. Refuse: an Input error names them, and nothing is copied.
enum class Overwrite { Refuse, Force };

// Copies what is in a folder of this computer, or one file, into a folder of the host ("~/" is the home there, and
// relative paths are meant from it). What had arrived when a transfer was cut is not sent again. Input: there is no
// such folder. Environment: the host lacks a program, its disk is full, or a file has changed meanwhile.
Result<CopyEnd> copyUp(SshSession& session, const std::filesystem::path& local, const std::string& remote,
                       DigestCache& digests, Overwrite overwrite);

// The other way round. Input: the host has no such folder.
Result<CopyEnd> copyDown(SshSession& session, const std::string& remote, const std::filesystem::path& local,
                         DigestCache& digests, Overwrite overwrite);

} // namespace trainyard::remote
