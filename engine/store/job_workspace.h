// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

namespace trainyard::store {

// Rule: which workspace a job of Slurm was submitted from.
// For the workspace of a job, `slurm/ID`, or of a task of an array, `slurm/ID/tasks/N`. Nothing for any other
// workspace.
std::optional<Workspace> submittedFrom(const Workspace& workspace);

} // namespace trainyard::store
