// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/judge/judge.h"

#include <map>
#include <span>

namespace trainyard::sweep {

// The measurements of a trial of an earlier sweep.
struct RecordedCurve {
    int trial = -1;
    spec::Params params;
    std::vector<std::pair<double, double>> losses; // t, in epochs or steps, and loss; in rising order
};

// The result of a simulated sweep.
struct Simulated {
    int started = 0, ended = 0;
    std::map<double, int> stoppedAt; // trials by the rung at which they were stopped
    int best = -1;                   // the recorded trial whose curve was the best to be trained to its end
    double bestLoss = kNever;
    double used = 0, fifo = 0; // epochs or steps: with this scheduler, and had every trial trained to its end
};

// Runs searcher and scheduler of a checked sweep over recorded curves, without a process. A trial gets the curve of
// the nearest recorded configuration, and its last loss if the trial runs for longer. `slots` trials train side by
// side at one speed. Input: no curve has a loss.
Result<Simulated> simulate(const spec::SweepSpec& spec, std::span<const RecordedCurve> curves, int slots);

} // namespace trainyard::sweep
