// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace trainyard {

// Milliseconds since 1970-01-01 UTC; for records that a person reads, never for deadlines.
std::int64_t wallClockMs();
// Seconds on a clock that never jumps; for deadlines and durations.
double monotonicSeconds();
// "2026-11-20T10:45:12Z"
std::string isoTime(std::int64_t wallMs);

// Rule: how long to wait before the next try.
// Seconds to wait after `failures` failures in a row: 1, 2, 4, … and at most `most`.
constexpr double backoffSeconds(int failures, double most = 30) {
    return failures <= 0 ? 0 : std::min(most, static_cast<double>(1u << std::min(failures - 1, 20)));
}

} // namespace trainyard
