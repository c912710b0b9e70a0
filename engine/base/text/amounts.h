// SPDX-License-Identifier: GPL-3.0-or-later
// Rule: durations, counts and bytes in the terminal and in reports.
#pragma once

#include <cstdint>
#include <string>

namespace trainyard {

std::string durationText(double seconds);  // "42 s", "3 min 05 s", "2 h 10 min"; "-" for what is no duration
std::string grouped(std::int64_t number);  // "12,345"
std::string bytesText(std::int64_t bytes); // "42.7 MB"

} // namespace trainyard
