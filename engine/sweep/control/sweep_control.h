// SPDX-License-Identifier: GPL-3.0-or-later
// Begins, resumes and stops sweeps. All of it works from any process: the sweep belongs to its supervisor.
#pragma once

#include "engine/run/start/run_start.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/store/store.h"
#include "engine/sweep/trials/run_of_trial.h"
#include "engine/wire/messages.h"

#include <string>

namespace trainyard::sweep {

// What a sweep starts with beside its file.
struct SweepStart {
    std::optional<run::QueuedStart> queued{};  // the entry of the queue that it is started for
    std::optional<run::RankProgram> program{}; // as StartOptions::program, of every trial
    std::string id{};                          // as StartOptions::id
};

// Validates the sweep, creates the sweep (row, folder, sweep.json) and its detached supervisor; returns the sweep's
// id. Input names the trial and the field that is wrong. An entry of the queue is taken in the same transaction; Input
// with code NotQueued when it does not wait any more.
Result<std::string> startSweep(const store::Workspace& workspace, const spec::SweepSpec& spec,
                               const SweepStart& start = {});
// A new supervisor that runs what is missing. Input when the sweep has finished or is supervised already.
Result<void> resumeSweep(const store::Workspace& workspace, const std::string& sweep);
// Starts no more trials and stops those that run. Input when the sweep is not active. One that is an array job of Slurm
// is cancelled: what trains saves first, whatever the mode.
Result<void> stopSweep(const store::Workspace& workspace, const std::string& sweep, wire::StopMode mode);
// Input, with code NotRunning, for a sweep that is an array job of Slurm: it cannot be resumed or steered.
Result<void> mustBeSupervisedHere(const store::Workspace& workspace, const store::SweepRow& sweep);

} // namespace trainyard::sweep
