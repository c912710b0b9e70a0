// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::run {

// The computation of steps in all runs of a workspace, whatever host their first rank is on. The first run of a kind
// records its choice in `kernels.jsonl`, one line for each kind, and the others use it. Jobs of Slurm share the file
// of the workspace that submitted them. Any process and thread; unreadable lines are skipped.
std::filesystem::path kernelChoicesFile(const store::Workspace& workspace);

// Rule: which kernels all runs of a workspace are computed with.
// The recorded choice for this kind of step. If there is none, records `choice`, unless it is empty. Environment: the
// file cannot be read or written.
Result<std::optional<std::string>> keepKernelChoice(const store::Workspace& workspace, const std::string& key,
                                                    const std::string& choice);

} // namespace trainyard::run
