// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <filesystem>
#include <optional>
#include <string>

namespace trainyard::run {

// How steps are computed in all runs of a workspace, on whichever host their first rank is: what the first run of a
// kind has found is kept in `kernels.jsonl` there, a line for each kind, and the others take it over. Jobs of Slurm
// share that of the workspace they were submitted from. Any process and thread; a line that cannot be read is passed
// over.
std::filesystem::path kernelChoicesFile(const store::Workspace& workspace);

// Rule: which kernels all runs of a workspace are computed with.
// What is kept for this kind of step. Where nothing is, `choice` is kept from now on, unless it is empty. Environment:
// the file cannot be read or written.
Result<std::optional<std::string>> keepKernelChoice(const store::Workspace& workspace, const std::string& key,
                                                    const std::string& choice);

} // namespace trainyard::run
