// SPDX-License-Identifier: GPL-3.0-or-later
// What the trials of a sweep tell together: values, for the window and the terminal. Losses are smaller where a trial
// is better (lossOf); one that is not finite counts as no result.
#pragma once

#include "engine/run/record/run_score.h"
#include "engine/spec/sweep/axis.h"

#include <span>
#include <vector>

namespace trainyard::sweep {

// The score as a loss, and back.
double lossOf(double score, spec::Better better);

// The least loss up to each of them, in their order; NaN before the first finite one.
std::vector<double> bestSoFar(std::span<const double> losses);

// The share of values that are at most `value`.
struct EdfPoint {
    double value = 0, share = 0;
    bool operator==(const EdfPoint&) const = default;
};
// The empirical distribution function of the finite values, a point for each different one.
std::vector<EdfPoint> edfOf(std::span<const double> values);

// A stretch of time, in any unit.
struct Stretch {
    double from = 0, to = 0;
};
// A lane for each stretch, the lowest one that is free, so that no two of one lane overlap: the slots of a sweep whose
// record does not name them.
std::vector<int> lanesOf(std::span<const Stretch> stretches);

// A trial's parameters and its loss.
struct Observation {
    spec::Params params;
    double loss = 0;
};
// How much an axis decides whether a trial is among the best; the shares of all axes add up to 1.
struct AxisImportance {
    std::string path;
    double share = 0;
};
inline constexpr std::size_t kLeastForImportance = 10;
// Importance by PED-ANOVA (Watanabe, Bansal, Hutter: PED-ANOVA: Efficiently Quantifying Hyperparameter Importance in
// Arbitrary Subspaces, IJCAI 2023, arXiv 2304.10255): for each axis the Pearson divergence of where the best tenth of
// the trials lies from where all lie, both as kernel densities with Scott's bandwidth. The largest first. An axis that
// counts only sometimes is judged by the trials that have it. Input when fewer than kLeastForImportance have a finite
// loss.
Result<std::vector<AxisImportance>> importanceOf(std::span<const spec::Axis> space,
                                                 std::span<const Observation> trials);

} // namespace trainyard::sweep
