// SPDX-License-Identifier: GPL-3.0-or-later
// Divides a printed line into words, numbers and marks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::imports {

struct PrintedToken {
    enum class Kind { Word, Number, Fraction, Equals, Open, Close, Bar, Break } kind = Kind::Break;
    std::string_view text{};     // of words, numbers and brackets; refers to the line
    double value = 0, total = 0; // total: of a fraction, 3/10
    bool hasUnit = false;        // letters follow the number without a space
};

// Equals is a colon, too. What is no part of a value gives a Break: dates, paths, commas, wide gaps, progress bars.
// Quotation marks and a terminal's colours are left out. Linear time.
std::vector<PrintedToken> printedTokens(std::string_view line);

std::string lowerCase(std::string_view text); // ASCII letters alone

} // namespace trainyard::imports
