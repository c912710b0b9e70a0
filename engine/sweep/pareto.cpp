// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_analysis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::sweep {

ParetoFront paretoOf(std::span<const LossPair> trials) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    std::vector<std::size_t> order;
    ParetoFront front;
    front.reference = {-kInfinity, -kInfinity};
    for (std::size_t i = 0; i < trials.size(); ++i) {
        if (!std::isfinite(trials[i].first) || !std::isfinite(trials[i].second)) continue;
        order.push_back(i);
        front.reference.first = std::max(front.reference.first, trials[i].first);
        front.reference.second = std::max(front.reference.second, trials[i].second);
    }
    if (order.empty()) return {};
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(trials[a].first, trials[a].second) < std::pair(trials[b].first, trials[b].second);
    });
    double least = kInfinity; // of the second losses so far
    for (const std::size_t index : order) {
        if (trials[index].second >= least) continue;
        const double above = std::min(least, front.reference.second) - trials[index].second;
        front.hypervolume += (front.reference.first - trials[index].first) * above;
        least = trials[index].second;
        front.indices.push_back(index);
    }
    return front;
}

} // namespace trainyard::sweep
