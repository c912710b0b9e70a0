// SPDX-License-Identifier: GPL-3.0-or-later
// Sweeps as array jobs of Slurm, one task for each trial. No supervisor: all trials are known in advance. The sweep
// has its row from the start. Each trial trains in the workspace of its task, from which its record is copied here.
#pragma once

#include "engine/run/slurm/slurm_array.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/run_query.h"

namespace trainyard::sweep {

// Rule: which sweeps can be array jobs.
// Input, with the field: something depends on the results of other trials.
Result<void> mayBeArray(const spec::SweepSpec& spec);
// The parameters of all trials, in order, of a checked sweep (checkedSweep). Input as of mayBeArray().
Result<std::vector<spec::Params>> trialsKnownBefore(const spec::SweepSpec& spec);

// Validates the sweep, creates its row and submits the job. A kill in between loses nothing, since collectSweep()
// finds the job by its folder. Input as of startSweep() and mayBeArray(). Environment: Slurm refuses; then no row is
// left.
Result<run::SlurmJob> submitSweep(const store::Workspace& workspace, spec::SweepSpec spec,
                                  const run::SlurmRequest& request);

// Asks Slurm about the tasks and copies news of the trials into the workspace: everything of finished trials; of
// training ones what they report, at intervals (mayAskTasks). Updates the sweep's row. May be repeated at any time.
// Environment: Slurm does not answer, or the workspace cannot be written.
Result<run::TaskAllocations> collectSweep(const store::Workspace& workspace, run::SlurmJob& job);
// collectSweep() for all active sweeps of the workspace. Those that fail wait for the next call.
void collectSweeps(const store::Workspace& workspace);

} // namespace trainyard::sweep
