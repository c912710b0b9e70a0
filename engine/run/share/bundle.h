// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as one file for another computer: a bundle is a tar archive of a workspace that holds just them, with their
// checkpoints, logs and evaluations.
#pragma once

#include "engine/store/run_query.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::run {

// Which checkpoints a bundle holds: without a list all of them; else "best", "last" or a step each, as after RUN@. An
// empty list is none.
using BundledCheckpoints = std::optional<std::vector<std::string>>;

// Of the words of a command line: "all" (also where there is none), "none", and the others. Input: all or none beside
// others.
Result<BundledCheckpoints> bundledCheckpoints(const std::vector<std::string>& words);

// Rule: what a bundle holds.
// Writes these runs, by ids, into the archive. A trial leaves its sweep. Input: one is active, has no name that fits,
// or lacks a checkpoint or its file. Environment: a file cannot be read, or the archive not be written.
Result<void> writeBundle(const store::Workspace& workspace, const std::vector<std::string>& runs,
                         const std::filesystem::path& archive, const BundledCheckpoints& checkpoints = {});

bool isBundle(const std::filesystem::path& file); // by its content
// The runs in it. Only its first member is read. Input: it is damaged, or newer than this program.
Result<std::vector<store::RunRow>> runsOfBundle(const std::filesystem::path& archive);

// What became of one run of a bundle.
struct BundledRun {
    store::RunRow row{}; // as it is in the workspace now
    bool isNew = false;  // false: a run of this id was there already, and stays as it is
    std::int64_t series = 0, points = 0;
};
// Rule: how a bundle becomes runs again.
// Adds those of its runs to the workspace, as the same runs: id, points, checkpoints, events and log. Whatever the
// archive holds, nothing is written outside of the workspace's folders of these runs. `begins` before each of them:
// false leaves the rest. Input: the archive is damaged (every file is compared with its digest), and nothing was added
// then. Environment: the workspace cannot be written.
Result<void> addBundle(const store::Workspace& workspace, const std::filesystem::path& archive,
                       const std::vector<std::string>& runs, const std::function<bool()>& begins,
                       const std::function<void(const BundledRun&)>& told);

} // namespace trainyard::run
