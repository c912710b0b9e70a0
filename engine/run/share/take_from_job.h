// SPDX-License-Identifier: GPL-3.0-or-later
// What a job of Slurm, or a task of one, has trained becomes a run of the workspace that it was submitted from.
#pragma once

#include "engine/run/mirror/mirror_line.h"
#include "engine/run/share/copy_record.h"
#include "engine/run/slurm/slurm_job.h"

#include <functional>

namespace trainyard::run {

// Ends the row of a run whose supervisor was ended without a word; any other row stays as it is. `what` has ended:
// "its task".
void endWithJob(store::RunRow& row, const Ended& ended, const std::string& what);

// What makes a row that a job has told one of the workspace: which trial it is, and how it ended.
using CompleteRow = std::function<void(store::RunRow&)>;

// Writes what a job's run has told while it trains into `store`; a run that is not there yet is made. Its files stay
// where they are, and what the user has changed holds. `known`: what is in `store`. Environment: it cannot be written,
// or the news do not continue what is there.
Result<void> takeNews(const store::Workspace& job, const std::vector<MirrorNews>& news, const CompleteRow& complete,
                      store::RunQuery& known, store::Store& store);

// The same of all that is new in the record of a run, whose job or task is over. From now on it is resumed from `to`.
Result<void> takeRest(const store::Workspace& job, const std::string& run, const CompleteRow& complete,
                      const store::Workspace& to, store::RunQuery& known, store::Store& store);

// Copies the record into `store`, that of the workspace `to`. The files of the run stay where they are: `row.folder`,
// in the workspace `job` of the job, which trains it no more; from now on it is resumed from `to`. Environment:
// something cannot be read or written.
Result<CopiedRecord> takeFromJob(const store::Workspace& job, store::RunQuery& from, store::RunRow& row,
                                 const store::Workspace& to, store::Store& store);

} // namespace trainyard::run
