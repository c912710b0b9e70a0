// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of a sweep, validated before any of them starts.
#pragma once

#include "engine/spec/sweep/sweep_spec.h"

#include <string>

namespace trainyard::sweep {

// A sweep that may be started.
struct ValidSweep {
    spec::SweepSpec spec; // with the defaults of its searcher and scheduler
    int trials = 0;
    int workers = 1; // of one trial
};
// The program that trains the trials.
enum class TrialProgram {
    Worker, // trainyard-worker: fields are judged by its catalog
    Own     // a program on the library: names of model, dataset and parameters are its own
};
// Rule: the run file of a trial, with what the worker's catalog knows.
// From spec::trialSpec(), with its errors. Environment: there is no catalog.
Result<spec::RunSpec> runOfTrial(const spec::SweepSpec& spec, const spec::Params& params, int trial,
                                 TrialProgram program = TrialProgram::Worker);
// Validates the sweep, each object among its values, and its foreseen trials (spec::foreseenConfigurations): all up to
// 1,000, else every value and end and 1,000 trials spread over all. Input names the field, or the trial and its field,
// after `file`.
Result<ValidSweep> validated(spec::SweepSpec spec, const std::string& file = {},
                             TrialProgram program = TrialProgram::Worker);

} // namespace trainyard::sweep
