// SPDX-License-Identifier: GPL-3.0-or-later
// Digests of files and folders of this computer: SHA-256 in hexadecimal.
#pragma once

#include "engine/base/machine/mutex.h"
#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard::remote {

// A regular file below a folder.
struct FolderFile {
    std::string path; // relative to the folder
    std::string digest;
    std::int64_t bytes = 0;
};

// A folder with its content. Links to files count as files; links to folders are left out.
struct FolderContent {
    std::filesystem::path root;
    std::vector<FolderFile> files; // by the bytes of their paths
    // The digest of the text "DIGEST  ./PATH\0" of each file: the output of `sha256sum -z` for them on a host.
    std::string digest() const;
};

// Digests of files that have not changed since the last call, by size, times and inode. Those of folders outlive the
// process, in ~/.cache/trainyard/digests; they are trusted while only this user can enter that folder. Any thread.
class DigestCache {
public:
    // Environment: the file cannot be read.
    Result<std::string> of(const std::filesystem::path& file);
    Result<FolderContent> ofFolder(const std::filesystem::path& folder);

    // Differs after every change of a file.
    struct Look {
        std::int64_t bytes = -1, modifiedNs = 0, changedNs = 0;
        std::uint64_t place = 0; // inode
        bool operator==(const Look&) const = default;
    };
    struct Known {
        Look look;
        std::string digest;
    };

private:
    Mutex m_mutex;
    std::map<std::filesystem::path, Known> m_known TY_GUARDED_BY(m_mutex);
};

} // namespace trainyard::remote
