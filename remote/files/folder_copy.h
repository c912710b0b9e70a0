// SPDX-License-Identifier: GPL-3.0-or-later
// Copies folders to a place on a host and back: differences travel as one stream, and each file appears when complete.
// Deletes nothing on either side.
#pragma once

#include "remote/files/folder_digests.h"
#include "remote/ssh/ssh_session.h"

namespace trainyard::remote {

// The amount copied.
struct CopyEnd {
    std::size_t files = 0;
    std::int64_t bytes = 0;
};

// Whether to overwrite files that differ and are newer than their replacements (by time, with both clocks compared).
// Refuse: an Input error names them, and nothing is copied.
enum class Overwrite { Refuse, Force };

// Copies the content of a folder of this computer, or one file, into a folder of the host; relative paths and "~/"
// start at the home there. A cut transfer is resumed. Input: the folder does not exist. Environment: the host lacks a
// program, its disk is full, or a file has changed meanwhile.
Result<CopyEnd> copyUp(SshSession& session, const std::filesystem::path& local, const std::string& remote,
                       DigestCache& digests, Overwrite overwrite);

// The reverse. Input: the host has no such folder.
Result<CopyEnd> copyDown(SshSession& session, const std::string& remote, const std::filesystem::path& local,
                         DigestCache& digests, Overwrite overwrite);

} // namespace trainyard::remote
