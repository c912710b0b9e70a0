// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace trainyard {

std::size_t editDistance(std::string_view a, std::string_view b);

// The candidate nearest to `word` by edit distance, or empty when none is near enough to be meant.
std::string nearestWord(std::string_view word, const auto& candidates) {
    std::string best;
    std::size_t bestDistance = word.size() / 2 + 1;
    for (const auto& candidate : candidates) {
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = std::string(candidate);
        }
    }
    return best;
}

} // namespace trainyard
