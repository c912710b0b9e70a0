// SPDX-License-Identifier: GPL-3.0-or-later
// What files and folders of this computer hold, as SHA-256 in hexadecimal.
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

// A folder with all that is in it. Links to files are files, links to folders are left out.
struct FolderContent {
    std::filesystem::path root;
    std::vector<FolderFile> files; // by the bytes of their paths
    // Of the text "DIGEST  ./PATH\0" of each file: what `sha256sum -z` prints of them on a host.
    std::string digest() const;
};

// Digests of what has not changed since it was last asked for, by size, time and place of each file. Those of folders
// outlive the process, in ~/.cache/trainyard/digests; they are trusted while nobody but this user can enter that
// folder. Any thread.
class DigestCache {
public:
    // Environment: the file cannot be read.
    Result<std::string> of(const std::filesystem::path& file);
    Result<FolderContent> ofFolder(const std::filesystem::path& folder);

    // Changes with every change of a file.
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
