// SPDX-License-Identifier: GPL-3.0-or-later
// Begins, resumes and stops sweeps. All of it works from any process: the sweep belongs to its supervisor.
#pragma once

#include "engine/run/actions/run_start.h"
#include "engine/spec/sweep_spec.h"
#include "engine/store/store.h"
#include "engine/wire/messages.h"

#include <string>

namespace trainyard::sweep {

// A sweep that may be started.
struct ValidSweep {
    spec::SweepSpec spec; // with the defaults of its searcher and scheduler
    int trials = 0;
    int workers = 1; // of one trial
};
// What trains the trials.
enum class TrialProgram {
    Worker, // trainyard-worker: fields are judged by its catalog
    Own     // a program on the library: names of model, dataset and parameters are its own
};
// The run file of a trial (spec::trialSpec), with what the worker's catalog knows of the entries that it names. Errors
// as of that, and Environment: there is no catalog.
Result<spec::RunSpec> runOfTrial(const spec::SweepSpec& spec, const spec::Params& params, int trial,
                                 TrialProgram program = TrialProgram::Worker);
// Judges the sweep, each object among its values, and the trials that are foreseen (spec::foreseenConfigurations): all
// up to 1,000; of more, every value and end and 1,000 between the first and the last. Input names the field, or the
// trial and its field; `file` stands before it.
Result<ValidSweep> validated(spec::SweepSpec spec, const std::string& file = {},
                             TrialProgram program = TrialProgram::Worker);

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
