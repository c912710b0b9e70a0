// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

namespace trainyard::store {

// Rule: which workspace a job of Slurm was submitted from.
// Of the workspace of a job of Slurm, `slurm/ID` or `slurm/ID/tasks/N` of an array: the one it was submitted from.
// Nothing: it is no job's.
std::optional<Workspace> submittedFrom(const Workspace& workspace);

} // namespace trainyard::store
