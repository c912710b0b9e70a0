// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>
#include <optional>
#include <span>

namespace trainyard::sweep {

// The scores of one configuration over its seeds.
struct SeedStats {
    int count = 0;
    double mean = std::numeric_limits<double>::quiet_NaN(); // of none: NaN
    double sd = std::numeric_limits<double>::quiet_NaN();   // of the sample; of fewer than two: NaN
};

// Scores that are not finite do not count.
SeedStats seedStats(std::span<const double> scores);
// Whether two means differ by no more than twice the standard error of their difference. Nothing where either
// has fewer than two seeds: its spread is unknown.
std::optional<bool> isWithinNoise(const SeedStats& a, const SeedStats& b);

} // namespace trainyard::sweep
