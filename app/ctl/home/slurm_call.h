// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"

namespace trainyard::ctl {

// Carries out a command of the terminal, without its workspace, for a run that is a job of Slurm: on the job's node
// while it runs, as only that may read its record, and else here, in the workspace of the job. A stop cancels the job.
// Returns the exit code. Input: it would be trained here.
Result<int> callInJob(const Session& session, const std::string& run, std::vector<std::string> words);

} // namespace trainyard::ctl
