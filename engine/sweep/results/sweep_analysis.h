// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics over the trials of a sweep, as values, for window and terminal. Smaller losses are better (lossOf); a
// loss that is not finite counts as no result.
#pragma once

#include "engine/run/record/run_score.h"
#include "engine/spec/sweep/axis.h"

#include <span>
#include <vector>

namespace trainyard::sweep {

// The score as a loss, and back.
double lossOf(double score, spec::Better better);

// For each loss the least one so far, in order; NaN before the first finite one.
std::vector<double> bestSoFar(std::span<const double> losses);

// The share of values that are at most `value`.
struct EdfPoint {
    double value = 0, share = 0;
    bool operator==(const EdfPoint&) const = default;
};
// The empirical distribution function of the finite values, one point for each distinct value.
std::vector<EdfPoint> edfOf(std::span<const double> values);

// A stretch of time, in any unit.
struct Stretch {
    double from = 0, to = 0;
};
// A lane for each stretch, the lowest free one, so that no two stretches of a lane overlap: stands for the slots if
// the record does not name them.
std::vector<int> lanesOf(std::span<const Stretch> stretches);

// A trial's parameters and its loss.
struct Observation {
    spec::Params params;
    double loss = 0;
};
// How strongly an axis decides whether a trial is among the best; the shares of all axes add up to 1. From `low` to
// `high` the share lies in four of five sets of trials drawn from these, with repeats (bootstrap).
struct AxisImportance {
    std::string path;
    double share = 0;
    double low = 0, high = 0;
};
// Rule: whether the trials tell at all which axis decides.
// They do if the share of one axis is beyond an even one in nine of ten drawn sets; a single axis has no rival.
bool tellsImportance(std::span<const AxisImportance> axes);
inline constexpr std::size_t kLeastForImportance = 10;
// Importance by PED-ANOVA (Watanabe, Bansal, Hutter: PED-ANOVA: Efficiently Quantifying Hyperparameter Importance in
// Arbitrary Subspaces, IJCAI 2023, arXiv 2304.10255): for each axis the Pearson divergence of where the best tenth of
// the trials lies from where all lie, both as kernel densities with Scott's bandwidth. The largest first. An axis that
// counts only sometimes is judged by the trials that have it. Input when fewer than kLeastForImportance have a finite
// loss.
Result<std::vector<AxisImportance>> importanceOf(std::span<const spec::Axis> space,
                                                 std::span<const Observation> trials);

} // namespace trainyard::sweep
