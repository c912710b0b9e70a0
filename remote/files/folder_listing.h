// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/: the files of a folder on a host.
#pragma once

#include "remote/ssh/ssh_session.h"

#include <map>

namespace trainyard::remote {

// A regular file there.
struct ListedFile {
    std::string digest; // SHA-256, hexadecimal
    std::int64_t bytes = 0;
    double modified = 0; // seconds since 1970 by the clock of this computer
    bool isExecutable = false;
};

// A folder's place and content.
struct FolderListing {
    std::string path; // absolute
    bool exists = false;
    std::map<std::string, ListedFile> files; // by path relative to it
    std::map<std::string, ListedFile> part;  // the same of what a cut transfer has left in it
};

// The name of the subfolder that holds arriving files.
inline constexpr const char* kPartFolder = ".trainyard-part";

// Environment: the host lacks a program, or a file cannot be read.
Result<FolderListing> listFolder(SshSession& session, const std::string& folder);

} // namespace trainyard::remote
