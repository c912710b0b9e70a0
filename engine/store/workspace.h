// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::store {

// Where a workspace keeps things.
struct Workspace {
    std::filesystem::path root;
    std::filesystem::path database() const { return root / "trainyard.db"; }
    std::filesystem::path runFolder(const std::string& run) const { return root / "runs" / run; }
    std::filesystem::path sweepFolder(const std::string& sweep) const { return root / "sweeps" / sweep; }
    // Of what was submitted to Slurm (engine/run/slurm): no process of this computer has to supervise it.
    std::filesystem::path slurmFolder(const std::string& id) const { return root / "slurm" / id; }
    std::filesystem::path slurmRecord(const std::string& id) const { return slurmFolder(id) / "slurm.json"; }
    // --workspace, else $TRAINYARD_WORKSPACE, else ~/.local/share/trainyard. Created when missing.
    static Result<Workspace> open(const std::string& given = {});
};

// The workspace that programs use where neither an option nor $TRAINYARD_WORKSPACE names another; empty where this user
// has no home folder. Makes no folder.
std::filesystem::path usualRoot();

// Rule: which workspace a job of Slurm was submitted from.
// For the workspace of a job, `slurm/ID`, or of a task of an array, `slurm/ID/tasks/N`. Nothing for any other
// workspace.
std::optional<Workspace> submittedFrom(const Workspace& workspace);

} // namespace trainyard::store
