// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/program/code_paths.h"
#include "engine/run/program/rank_environment.h"
#include "engine/run/program/rank_process.h"

namespace trainyard::run {

// What a keeper knows of its rank once it has been told to start.
struct KeptRank {
    spec::RunSpec spec;
    RankPlace place;
    RankFiles files;
    CodePaths code{};
    RankCommand command{};
    std::map<std::string, std::string> prepared{}; // by program.prepare
    std::string interpreter{};                     // its file; empty: no Python
    std::vector<std::string> shown{};              // the words, as people would write them
    std::map<std::string, std::string> secrets{};  // that the supervisor has sent; the others are inherited
};

// Where the program may leave files: {output}, where it runs, and beside the copies of its scripts.
std::vector<std::filesystem::path> foldersWritten(const KeptRank& rank);

// The place in wire::Start::paths of the project that Start::codeFolder is a copy of.
inline constexpr const char* kCodeProject = "program.project";

// Fills in what is started, where and with which environment, from the other fields: the interpreter and the project's
// folder are looked for on this host, and the script's arguments are read where they are given by name. Input, with
// field and remedy: there is no such script, interpreter or argument, or a secret is not set.
Result<void> planRank(KeptRank& rank);

} // namespace trainyard::run
