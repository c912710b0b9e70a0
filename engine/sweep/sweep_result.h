// SPDX-License-Identifier: GPL-3.0-or-later
// Which trial of a sweep is the best: one ranking for the supervisor, the terminal and the window.
#pragma once

#include "engine/run/record/run_score.h"
#include "engine/spec/sweep_spec.h"
#include "engine/store/run_query.h"

#include <optional>

namespace trainyard::sweep {

struct TrialScore {
    std::optional<double> value; // the best one of the sweep's score; nothing when none is finite
    std::int64_t step = 0;       // where it was measured
};

// What a trial's place in the ranking follows from.
struct Standing {
    wire::RunStatus status = wire::RunStatus::Queued;
    std::optional<double> score;
};

// Which of two values is the better one.
struct Order {
    std::vector<std::size_t> indices; // best first
    bool hasBest = false;             // the first one has a score and did not fail
};

// A trial and what it reached.
struct TrialResult {
    store::RunRow row;
    TrialScore score;
};

// The trials of a sweep and their order.
struct Ranking {
    std::vector<TrialResult> trials; // by trial number
    std::vector<std::size_t> order;  // indices into trials, best first; failed ones and those without a score last
    std::string best;                // run id; empty when no trial has a score
};

// What the trials of a sweep are compared by, from its sweep file.
run::Score scoreOf(const spec::SweepSpec& spec);
Result<run::Score> scoreOf(const store::SweepRow& sweep);

// A trial's score, from the summaries of its series.
TrialScore scoreTrial(const std::vector<store::SeriesSummary>& summaries, const run::Score& score);

// Ranks trials that are given by trial number: the best first, equals by number; then failed ones that have a score,
// and those without one last.
Order rank(const std::vector<Standing>& trials, spec::Better better);

// Reads all trials of a sweep and ranks them. The score is that of the sweep's row, which is parsed for it, unless
// given.
Result<Ranking> rankTrials(store::RunQuery& query, const store::SweepRow& sweep);
Result<Ranking> rankTrials(store::RunQuery& query, const std::string& sweep, const run::Score& score);

} // namespace trainyard::sweep
