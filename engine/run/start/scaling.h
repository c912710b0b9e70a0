// SPDX-License-Identifier: GPL-3.0-or-later
// The scaling advisor: a run measured briefly with several counts of workers, and what follows from it.
#pragma once

#include "engine/run/start/probe_run.h"

namespace trainyard::run {

// 1, 2, 4, … and `most`.
std::vector<int> scalingCounts(int most);

// Briefly trains with `workers` workers, all of them for the whole time. Input: the run file cannot be trained with so
// many. Other errors as for measureBriefly(). Blocks.
Result<BriefTimes> measureWorkers(spec::RunSpec spec, int workers, const BriefLimits& limits,
                                  const std::function<bool()>& interrupted);

// How many workers to train with: the fewest that are nearly as fast as the fastest count.
struct ScalingAdvice {
    int workers = 0;
    std::string text; // "use 2 workers: …", one sentence or two
};
// Rule: how many workers are worth it.
// Of a card that is not empty.
ScalingAdvice scalingAdvice(const std::vector<ScalingPoint>& card);

} // namespace trainyard::run
