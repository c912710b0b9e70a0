// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/nearest_word.h"

#include <algorithm>
#include <vector>

namespace trainyard {

std::size_t editDistance(std::string_view a, std::string_view b) {
    // Words that differ this much in length are not misspellings of one another; the table would only cost time.
    constexpr std::size_t kLongest = 64;
    if (a.size() > kLongest || b.size() > kLongest) return a == b ? 0 : std::max(a.size(), b.size());
    std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t swap = a[i - 1] == b[j - 1] ? 0 : 1;
            next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + swap});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                next[j] = std::min(next[j], before[j - 2] + 1); // two letters swapped: one slip, not two
        }
        std::swap(before, row);
        std::swap(row, next);
    }
    return row[b.size()];
}

} // namespace trainyard
