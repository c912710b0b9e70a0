// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/better.h"
#include "engine/spec/sweep/sweep_rules.h"
#include "engine/store/run_query.h"

#include <string>
#include <vector>

namespace trainyard::run {

// The criterion that compares runs, checkpoints and trials.
struct Score {
    std::string series = "val/accuracy";
    spec::Better better = spec::Better::Larger;
    spec::ScoreAt at = spec::ScoreAt::Best;
    bool operator==(const Score&) const = default;
};

// The score that chooses a run's best checkpoint: checkpoint.scoreBy and mode of its run file.
Score scoreOf(const store::RunRow& row);
// Rule: by which series a run is compared.
// That of its run file. Where the file of a program names none: the likely one (likelyScore) of those it has reported.
Score scoreOf(const store::RunRow& row, const std::vector<std::string>& reported);
Score scoreOf(const store::RunRow& row, const std::vector<store::SeriesSummary>& reported);

// The best point of a series.
struct BestValue {
    double value = 0; // not finite when the series has no finite value
    std::int64_t step = 0;
};
// Rule: which value of a series is its best.
// The minimum or maximum: for the score's own series as the score says, else as the series' name says.
BestValue bestOf(const store::SeriesSummary& summary, const Score& score);
// A value of a series: its best (bestOf), last, least or greatest.
enum class Aspect { Best, Last, Min, Max };
double valueOf(const store::SeriesSummary& summary, Aspect aspect, const Score& score); // NaN when it has no point
const char* toString(Aspect aspect);                                                    // "best", "last", "min", "max"
// A series with a value of it, written "val/loss.last"; without an ending the best value.
struct SeriesAspect {
    std::string series;
    Aspect aspect = Aspect::Best;
    bool operator==(const SeriesAspect&) const = default;
};
SeriesAspect seriesAspect(std::string_view text);
std::string toText(const SeriesAspect& of);
// The test series of a validation series, measured after training: "test/accuracy" for "val/accuracy".
std::string testSeriesOf(std::string_view validationSeries);
// Whether the series is such a test with one point: a value, not a curve.
bool isSingleTest(std::string_view series, std::int64_t points);
// The score's value of its own series: the best point, or the last one.
BestValue scoredPoint(const store::SeriesSummary& summary, const Score& score);

} // namespace trainyard::run
