// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "remote/transfer.h"

namespace trainyard::remote {

// SHA-256 of local files that have not changed since they were last asked for.
class DigestCache {
public:
    Result<std::string> of(const std::filesystem::path& file);

private:
    struct Known {
        std::uintmax_t size = 0;
        std::filesystem::file_time_type time;
        std::string digest;
    };
    std::map<std::filesystem::path, Known> m_known;
};

// A file on a host.
struct Staged {
    std::string path; // on the host
    std::int64_t bytesSent = 0;
};

// Makes a local file, or a folder with all that is in it, readable on the host. What the host has under the same path
// with the same content is used there (datasets); the rest goes to CACHE/<digest>/<name>, once. Input when the path
// is neither or holds a name with a line break. `madeHere` are files of the host by their digest.
Result<Staged> stagePath(SshSession& session, const HostBasics& basics, const std::filesystem::path& local,
                         DigestCache& digests, const std::map<std::string, std::string>& madeHere = {});

} // namespace trainyard::remote
