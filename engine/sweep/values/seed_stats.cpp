// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/values/seed_stats.h"

#include <cmath>

namespace trainyard::sweep {

SeedStats seedStats(std::span<const double> scores) {
    SeedStats stats;
    double mean = 0, squares = 0; // Welford 1962: the sum of squared differences from the mean, one value at a time
    for (const double score : scores) {
        if (!std::isfinite(score)) continue;
        const double before = score - mean;
        mean += before / ++stats.count;
        squares += before * (score - mean);
    }
    if (stats.count > 0) stats.mean = mean;
    if (stats.count > 1) stats.sd = std::sqrt(squares / (stats.count - 1));
    return stats;
}

std::optional<bool> isWithinNoise(const SeedStats& a, const SeedStats& b) {
    if (a.count < 2 || b.count < 2) return std::nullopt;
    return std::abs(a.mean - b.mean) <= 2 * std::sqrt(a.sd * a.sd / a.count + b.sd * b.sd / b.count);
}

} // namespace trainyard::sweep
