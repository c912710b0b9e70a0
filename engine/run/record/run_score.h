// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/better.h"
#include "engine/spec/sweep/sweep_rules.h"
#include "engine/store/run_query.h"

#include <string>

namespace trainyard::run {

// What runs, checkpoints and trials are compared by.
struct Score {
    std::string series = "val/accuracy";
    spec::Better better = spec::Better::Larger;
    spec::ScoreAt at = spec::ScoreAt::Best;
    bool operator==(const Score&) const = default;
};

// The score by which a run's best checkpoint is chosen: its run file's checkpoint.scoreBy and mode.
Score scoreOf(const store::RunRow& row);

// The best point of a series.
struct BestValue {
    double value = 0; // not finite when the series has no finite value
    std::int64_t step = 0;
};
// Rule: which value of a series is its best.
// The minimum or maximum: for the score's own series as the score says, else as the series' name says.
BestValue bestOf(const store::SeriesSummary& summary, const Score& score);
// What of a series is meant: its best value (bestOf), its last, least or greatest.
enum class Aspect { Best, Last, Min, Max };
double valueOf(const store::SeriesSummary& summary, Aspect aspect, const Score& score); // NaN when it has no point
const char* toString(Aspect aspect);                                                    // "best", "last", "min", "max"
// A series and what of it is meant, written "val/loss.last"; without such an end its best value.
struct SeriesAspect {
    std::string series;
    Aspect aspect = Aspect::Best;
    bool operator==(const SeriesAspect&) const = default;
};
SeriesAspect seriesAspect(std::string_view text);
std::string toText(const SeriesAspect& of);
// The series of a measure on the test samples, which a run takes once its training has ended: "test/accuracy" for
// "val/accuracy".
std::string testSeriesOf(std::string_view validationSeries);
// Of such a series, while it has one point: a value, which makes no curve.
bool isSingleTest(std::string_view series, std::int64_t points);
// What the score is of its own series: the best point, or the last one.
BestValue scoredPoint(const store::SeriesSummary& summary, const Score& score);

} // namespace trainyard::run
