// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/code/code_prune.h"
#include "engine/store/run_query.h"

namespace trainyard::run {

// Deletes the snapshots of programs' code that no run, sweep or entry of the queue starts from, see
// program::pruneCode(). Environment: the database cannot be read.
Result<program::PrunedCode> pruneCode(const store::Workspace& workspace);

} // namespace trainyard::run
