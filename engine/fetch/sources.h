// SPDX-License-Identifier: GPL-3.0-or-later
// The datasets that can be downloaded: where they are, and what the published files must be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::fetch {

// A file inside an archive that is unpacked into the dataset's folder, by the last part of its name.
struct Member {
    std::string name;
    std::int64_t bytes = 0;
};

// One published file: its name, size and SHA-256.
struct RemoteFile {
    std::string name; // behind a mirror's address, and in the folder
    std::int64_t bytes = 0;
    std::string sha256;            // 64 hexadecimal digits
    std::vector<Member> members{}; // of a .tar.gz; empty: the file itself is what is wanted
};

// A published dataset: its files and where they are mirrored.
struct Source {
    std::string name;  // the run file's word: "cifar10"
    std::string title; // "CIFAR-10"
    std::vector<RemoteFile> files;
    std::vector<std::string> mirrors; // addresses that end in "/", best first
};

const std::vector<Source>& sources();

} // namespace trainyard::fetch
