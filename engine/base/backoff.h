// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

namespace trainyard {

// Rule: how long to wait before the next try.
// Seconds to wait after `failures` failures in a row: 1, 2, 4, … and at most `most`.
constexpr double backoffSeconds(int failures, double most = 30) {
    return failures <= 0 ? 0 : std::min(most, static_cast<double>(1u << std::min(failures - 1, 20)));
}

} // namespace trainyard
