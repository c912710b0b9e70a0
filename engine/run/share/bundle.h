// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as one file for another computer: a bundle is a tar archive of a workspace with just these runs, their
// checkpoints, logs and evaluations.
#pragma once

#include "engine/store/run_query.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::run {

// The checkpoints in a bundle: all without a list; else "best", "last" or steps, as after RUN@. An empty list means
// none.
using BundledCheckpoints = std::optional<std::vector<std::string>>;

// From words of a command line: "all" (also without words), "none", or others. Input: all or none with others.
Result<BundledCheckpoints> bundledCheckpoints(const std::vector<std::string>& words);

// Rule: what a bundle holds.
// Writes the runs with these ids into the archive. A trial leaves its sweep. Input: a run is active, has an unsuitable
// name, or lacks a checkpoint or its file. Environment: a file cannot be read, or the archive cannot be written.
Result<void> writeBundle(const store::Workspace& workspace, const std::vector<std::string>& runs,
                         const std::filesystem::path& archive, const BundledCheckpoints& checkpoints = {});

bool isBundle(const std::filesystem::path& file); // by its content
// Its runs, from its first member. Input: it is damaged, or newer than this program.
Result<std::vector<store::RunRow>> runsOfBundle(const std::filesystem::path& archive);

// The outcome for one run of a bundle.
struct BundledRun {
    store::RunRow row{}; // as it is in the workspace now
    bool isNew = false;  // false: a run of this id was there already, and stays as it is
    std::int64_t series = 0, points = 0;
};
// Rule: how a bundle becomes runs again.
// Adds its runs to the workspace unchanged: id, points, checkpoints, events and log. Whatever the archive holds,
// nothing is written outside these runs' folders. Calls `begins` before each run: false skips the rest. Input: the
// archive is damaged (every file is checked by digest); nothing was added. Environment: the workspace cannot be
// written.
Result<void> addBundle(const store::Workspace& workspace, const std::filesystem::path& archive,
                       const std::vector<std::string>& runs, const std::function<bool()>& begins,
                       const std::function<void(const BundledRun&)>& told);

} // namespace trainyard::run
