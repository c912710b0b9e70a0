// SPDX-License-Identifier: GPL-3.0-or-later
// Which files of a project are its code.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::program {

inline constexpr std::int64_t kMostCodeFiles = 10'000;
inline constexpr std::int64_t kMostCodeBytes = 100'000'000, kMostCodeFileBytes = 4'000'000;

// Where code is looked for.
struct CodePlace {
    std::filesystem::path project{}; // its folder, absolute
    // Nobody says that this folder is a project: only sources and settings in it count, and folders in which Python
    // lies. `isShared`: not even those, since other people's or other projects' files lie there.
    bool isLoose = false, isShared = false;
    std::vector<std::string> always{}; // of the project, whatever the rules say: the script
};

// One file of it, as it was when it was found.
struct CodeFile {
    std::string path{}; // of the project: "src/train.py"
    std::string link{}; // of a link within the project: where it leads
    bool isProgram = false;
    std::int64_t size = 0, modifiedNs = 0, changedNs = 0;
    std::uint64_t inode = 0;
};

// All of it, by path.
struct CodeFiles {
    std::vector<CodeFile> files{};
    std::vector<std::string> leftOut{}; // files and whole folders of the project that are not among them
    std::int64_t bytes = 0;
};

// Rule: which files of a project are its code.
// All but what .gitignore and .trainyardignore say, version control, environments of Python, workspaces, caches,
// records of frameworks, data by its name, files of more than 4 MB and those that cannot be read; a folder with nothing
// else in it is left out as a whole. Links within the project stay links, other ones are left out; FIFOs, sockets and
// devices are passed over. Input, with the three largest folders and two remedies: more than 10,000 files or 100 MB.
// Environment: the project cannot be read. Nothing is followed out of it; at most 64 folders deep and 100,000 names.
Result<CodeFiles> findCode(const CodePlace& place);

} // namespace trainyard::program
