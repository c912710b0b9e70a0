// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps as array jobs of Slurm, a task for each trial. Nobody supervises the sweep: all its trials are known before.
// Its row is in the workspace from the beginning; each trial trains in the workspace of its task, and its record here
// follows.
#pragma once

#include "engine/run/slurm/slurm_array.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/run_query.h"

namespace trainyard::sweep {

// Rule: which sweeps can be array jobs.
// Whether a sweep can be an array job. Input, with the field, where something depends on how other trials do.
Result<void> mayBeArray(const spec::SweepSpec& spec);
// The parameters of all trials, in their order, of a sweep that was checked (checkedSweep). Input as of
// mayBeArray().
Result<std::vector<spec::Params>> trialsKnownBefore(const spec::SweepSpec& spec);

// Validates the sweep, makes its row and submits the job: a kill in between loses nothing, since collectSweep() finds
// the job by its folder. Input as of startSweep() and mayBeArray(); Environment when Slurm refuses, and there is no row
// then.
Result<run::SlurmJob> submitSweep(const store::Workspace& workspace, spec::SweepSpec spec,
                                  const run::SlurmRequest& request);

// What Slurm says of its tasks. What is new of its trials is copied into the workspace: of those that are over all, of
// those that train what they tell, asked now and then (mayAskTasks). The sweep's row follows. May be repeated at any
// time. Environment: Slurm does not answer, or the workspace cannot be written.
Result<run::TaskAllocations> collectSweep(const store::Workspace& workspace, run::SlurmJob& job);
// The same of all sweeps of the workspace that are not over. Those that fail are left for the next time.
void collectSweeps(const store::Workspace& workspace);

} // namespace trainyard::sweep
