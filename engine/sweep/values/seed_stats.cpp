// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/values/seed_stats.h"

#include "engine/base/math/statistics.h"

#include <cmath>

namespace trainyard::sweep {

SeedStats seedStats(std::span<const double> scores) {
    RunningMean all;
    for (const double score : scores) all.add(score);
    SeedStats stats{.count = all.count(), .sd = all.deviation()};
    if (stats.count > 0) stats.mean = all.mean();
    return stats;
}

std::optional<bool> isWithinNoise(const SeedStats& a, const SeedStats& b) {
    if (a.count < 2 || b.count < 2) return std::nullopt;
    return std::abs(a.mean - b.mean) <= 2 * std::sqrt(a.sd * a.sd / a.count + b.sd * b.sd / b.count);
}

} // namespace trainyard::sweep
