// SPDX-License-Identifier: GPL-3.0-or-later
// What a job of Slurm, or a task of one, has trained becomes a run of the workspace that it was submitted from.
#pragma once

#include "engine/run/actions/copy_record.h"
#include "engine/run/slurm/allocation.h"

namespace trainyard::run {

// In the folder of a job or task once its run was taken: it trains no more, though Slurm may begin it again.
inline constexpr const char* kTakenFile = "collected";

// Ends the row of a run whose supervisor was ended without a word; any other row stays as it is. `what` has ended:
// "its task".
void endWithJob(store::RunRow& row, const Ended& ended, const std::string& what);

// Copies the record into `store`, that of the workspace `to`. The files of the run stay where they are: `row.folder`,
// in the workspace `job` of the job, which trains it no more; from now on it is resumed from `to`. Environment:
// something cannot be read or written.
Result<CopiedRecord> takeFromJob(const store::Workspace& job, store::RunQuery& from, store::RunRow& row,
                                 const store::Workspace& to, store::Store& store);

} // namespace trainyard::run
