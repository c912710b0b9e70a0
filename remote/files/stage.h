// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/files/folder_digests.h"
#include "remote/files/transfer.h"

namespace trainyard::remote {

// A file or folder on a host.
struct Staged {
    std::string path; // on the host
    std::int64_t bytesSent = 0;
};

// Makes a local file, or a folder with all that is in it, readable on the host. What the host has under the same path
// with the same content, and nothing else, is used there (datasets); the rest goes to CACHE/<digest>/<name>, once.
// Input when the path is neither, or the folder is empty. `madeHere` are files of the host by their digest.
Result<Staged> stagePath(SshSession& session, const HostBasics& basics, const std::filesystem::path& local,
                         DigestCache& digests, const std::map<std::string, std::string>& madeHere = {});

} // namespace trainyard::remote
