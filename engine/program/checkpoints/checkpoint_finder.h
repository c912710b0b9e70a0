// SPDX-License-Identifier: GPL-3.0-or-later
// Which of the files that a program has left are its checkpoints, as a value.
#pragma once

#include "engine/program/checkpoints/checkpoint_name.h"

#include <map>

namespace trainyard::program {

// A file as a folder lists it.
struct ListedFile {
    std::string path; // absolute
    std::uint64_t bytes = 0;
    std::uint64_t number = 0;   // inode
    std::int64_t changedNs = 0; // since 1970, by the clock of its disk
    bool operator==(const ListedFile&) const = default;
};

// How checkpoints are told from other files.
struct FinderRules {
    std::vector<std::string> roots{};    // absolute folders, without links; what lies elsewhere is not looked at
    std::vector<std::string> patterns{}; // the user's own
    std::int64_t startedMs = 0;          // of the run; what was written before is another's
    // Files that are another's though their time is later, as the clock was set back since: by path, with that time.
    std::map<std::string, std::int64_t> otherNs{};
};

// A file, or a folder of files, that is a checkpoint; whether it is complete is another question (completeness.h).
struct FoundCheckpoint {
    std::string path;
    bool isFolder = false;
    CheckpointName name{};
    std::vector<ListedFile> files{}; // the one, or all of the folder, by path

    std::uint64_t bytes() const;
    std::int64_t changedNs() const; // of the newest
};

// Rule: which files are a program's checkpoints.
// The outermost folder that has a checkpoint's name and holds at least one file of a model is one; else each file that
// has such a name. Ordered by path. Files that were not written since the start are left out, and with them folders of
// which none was.
std::vector<FoundCheckpoint> findCheckpoints(const std::vector<ListedFile>& files, const FinderRules& rules);

// Whether a folder of that path is a checkpoint by its name.
bool isCheckpointFolder(const std::string& path, const FinderRules& rules);
// Whether a file of that path, in no such folder, is one by its name.
bool isCheckpointFile(const std::string& path, const FinderRules& rules);

} // namespace trainyard::program
