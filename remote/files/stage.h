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

// What is looked at before something is copied.
enum class LooksFor {
    SamePath, // what is at the same path there, if it has the same content and nothing else (datasets)
    Copies    // copies of earlier times alone
};

// Makes a local file, or a folder with its content, readable on the host: what is there already, as `looksFor` says;
// otherwise copies to CACHE/<digest>/<name>, once; with a file what belongs to it (filesBelongingTo()). Input: the path
// is neither, or the folder is empty. `madeHere`: files of the host by digest.
Result<Staged> stagePath(SshSession& session, const HostBasics& basics, const std::filesystem::path& local,
                         DigestCache& digests, const std::map<std::string, std::string>& madeHere = {},
                         LooksFor looksFor = LooksFor::SamePath);

} // namespace trainyard::remote
