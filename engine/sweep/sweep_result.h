// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"

#include <optional>

namespace trainyard::sweep {

struct TrialResult {
    store::RunRow row;
    std::optional<double> score; // the best value of the sweep's scoreBy; nothing when none is finite
    std::int64_t scoreStep = 0;
};

struct Ranking {
    std::vector<TrialResult> trials; // by trial number
    std::vector<std::size_t> order;  // indices into trials, best first; failed ones and those without a score last
    std::string best;                // run id; empty when no trial has a score
};

// Reads all trials of a sweep and ranks them by the sweep file's score.
Result<Ranking> rankTrials(store::RunQuery& query, const store::SweepRow& sweep);

} // namespace trainyard::sweep
