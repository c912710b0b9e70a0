// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers and names as tables of other programs write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard::imports {

// A cell of a table: 0.5, +1e-3, nan, inf. Where cells are separated by anything but commas, a comma is that of a
// decimal fraction (0,5), and points before it group thousands (1.234,5).
struct CellNumber {
    std::optional<double> value{};
    bool tooLarge = false; // for a double
};
CellNumber cellNumber(std::string_view cell, char separator);

// 12 and 12.0, as pandas writes whole numbers beside gaps. Nothing for a fraction and for what a double does not count.
std::optional<std::int64_t> wholeNumber(double value);

// Whether one name comes before another where digits are numbers: "events.2" before "events.10".
bool comesBefore(std::string_view one, std::string_view other);

// Seconds since 1970 of "2026-11-20T10:45:12", in UTC; 0: the text does not begin with such a time.
double secondsOfIsoTime(std::string_view text);
// The same of the local time in the name of a file or folder, "20261120_104512" or "2026-11-20_10-45-12"; 0: there is
// none.
double secondsInName(std::string_view name);

} // namespace trainyard::imports
