// SPDX-License-Identifier: GPL-3.0-or-later
// Data that a host has already: on a disk that both see, or as a copy that a person has made.
#pragma once

#include "remote/ssh/ssh_session.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::remote {

// A file as a listing has it: "./cat/1.png" and its size; of a link the length of what it points to.
struct ListedSize {
    std::string path;
    std::int64_t bytes = 0;
    bool operator==(const ListedSize&) const = default;
};

// Every file and every link to a file below a folder, sorted by the bytes of their paths; of a file itself one with the
// path "". Input: there is no such thing. Environment: it cannot be read.
Result<std::vector<ListedSize>> listSizes(const std::filesystem::path& path);

// What stands first in one of two sorted listings and not alike in the other, said as a sentence: "cat/1.png has 10
// bytes here and 12 there". Empty: they are the same.
std::string firstDifference(const std::vector<ListedSize>& here, const std::vector<ListedSize>& there);

// Whether the host has the same file or folder at the same path: names and sizes are compared, no content is read, and
// nothing is copied. Returns the path. Environment: it is not there, or is not the same; names the first difference.
Result<std::string> sharedPath(SshSession& session, const std::filesystem::path& local);

} // namespace trainyard::remote
