// SPDX-License-Identifier: GPL-3.0-or-later
// Suggests an initial learning rate by the learning-rate range test, a short training whose learning rate grows from
// step to step (L. N. Smith, Cyclical Learning Rates for Training Neural Networks, 2017, arXiv:1506.01186, section
// 3.3). The learning rate grows by a constant factor, not by a constant summand, and the suggestion is where the
// smoothed loss falls fastest.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/run_spec.h"

#include <functional>
#include <optional>
#include <vector>

namespace trainyard::run {

struct LrSweep {
    double from = 1e-6, to = 1;
    std::int64_t steps = 100;
};

// The run that is measured: `spec` with its learning rate growing from `from` to `to` over `steps`, and without what
// else would change learning rates, weights or the end (schedule, rule, average, early stop, restarts, checkpoints on
// the way). Kind Input: a sweep that cannot be.
Result<spec::RunSpec> lrSweepRun(spec::RunSpec spec, const LrSweep& sweep);

// One step of a learning-rate range test.
struct LrPoint {
    std::int64_t step = 0;
    double lr = 0, loss = 0, smoothed = 0; // smoothed: moving average of the losses up to here
};

// The result of a learning-rate range test.
struct LrCurve {
    std::vector<LrPoint> points;     // up to where the loss blew up
    bool diverged = false;           // it did
    std::optional<double> suggested; // where the smoothed loss falls fastest; empty: it does not fall
    double lowest = 0;               // learning rate at the lowest smoothed loss
};

// From one loss for each learning rate, in order of steps. A loss that is not finite ends the curve.
LrCurve evaluateLrCurve(const std::vector<double>& rates, const std::vector<double>& losses);

// Trains such a run, with all its workers, in a workspace that goes when it is done, and evaluates it. `progress`
// receives the step now and then. Blocks. Input, Environment, Run: as the run.
Result<LrCurve> findRates(const spec::RunSpec& spec, const LrSweep& sweep,
                          const std::function<void(std::int64_t)>& progress = {});

// The factor of scaling.lrRule: a suggestion is divided by it before it goes into the run file.
double lrRuleFactor(const spec::Scaling& scaling);

} // namespace trainyard::run
