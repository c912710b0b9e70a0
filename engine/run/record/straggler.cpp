// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/straggler.h"

#include <algorithm>

namespace trainyard::run {

std::optional<RankWait> stragglerOf(const std::vector<RankWait>& ranks) {
    constexpr double kNotable = 0.1;
    if (ranks.size() < 2) return {};
    const auto [least, most] =
        std::minmax_element(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a.share < b.share; });
    if (most->share - least->share < kNotable) return {};
    return *least;
}

} // namespace trainyard::run
