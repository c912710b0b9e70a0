// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/math/axis_ticks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace trainyard {
namespace {

constexpr std::size_t kMostTicks = 100;
constexpr double kLeastDecades = 0.7;

} // namespace

double niceStep(double rough) {
    const double decade = std::pow(10.0, std::floor(std::log10(rough)));
    const double share = rough / decade;
    return decade * (share <= 1.0001 ? 1 : share <= 2.0001 ? 2 : share <= 4.0001 ? 4 : share <= 5.0001 ? 5 : 10);
}

std::vector<double> multiplesIn(double low, double high, double step) {
    std::vector<double> positions;
    for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9 && positions.size() < kMostTicks; ++i)
        positions.push_back(std::abs(i) < 0.5 ? 0 : i * step);
    return positions;
}

std::vector<double> linearTickPositions(double low, double high, int count) {
    const double rough = (high - low) / std::max(count, 1);
    if (!(rough > 0) || !std::isfinite(rough)) return {};
    return multiplesIn(low, high, niceStep(rough));
}

std::vector<double> logTickPositions(double low, double high, int count) {
    std::vector<double> positions;
    if (!(low > 0) || !(high > low) || !std::isfinite(high)) return positions;
    const double decades = std::log10(high / low);
    if (decades < kLeastDecades) return positions;
    const int first = static_cast<int>(std::floor(std::log10(low)));
    const int last = static_cast<int>(std::ceil(std::log10(high)));
    const bool fine = decades * 3 <= count * 1.8;
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / count)));
    for (int decade = first; decade <= last; ++decade) {
        if (!fine && decade % stride != 0) continue;
        for (const int digit : {1, 2, 5}) {
            const double at = digit * std::pow(10.0, decade);
            if ((digit == 1 || fine) && at >= low * 0.9999 && at <= high * 1.0001) positions.push_back(at);
        }
    }
    return positions;
}

} // namespace trainyard
