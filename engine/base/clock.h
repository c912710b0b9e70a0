// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace trainyard {

// Milliseconds since 1970-01-01 UTC; for records that a person reads, never for deadlines.
std::int64_t wallClockMs();
// Seconds on a clock that never jumps; for deadlines and durations.
double monotonicSeconds();
// "2026-11-20T10:45:12Z"
std::string isoTime(std::int64_t wallMs);

} // namespace trainyard
