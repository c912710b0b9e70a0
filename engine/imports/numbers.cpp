// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace trainyard::imports {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// "1.234,5" as "1234.5"; empty where points and comma stand otherwise.
std::string withDecimalPoint(std::string_view cell) {
    const auto comma = cell.find(',');
    if (cell.find(',', comma + 1) != cell.npos || cell.find('.', comma) != cell.npos) return {};
    std::string text;
    for (std::size_t at = 0; at < cell.size(); ++at) {
        if (cell[at] != '.') {
            text += at == comma ? '.' : cell[at];
            continue;
        }
        for (std::size_t digit = 1; digit <= 3; ++digit)
            if (!isDigit(cell[at + digit])) return {}; // before the comma there is a cell left
    }
    return text;
}

CellNumber pointNumber(std::string_view cell) {
    if (cell.starts_with('+')) cell.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (end != cell.data() + cell.size()) return {};
    if (error == std::errc::result_out_of_range) return {.tooLarge = true};
    return error == std::errc() ? CellNumber{value} : CellNumber{};
}

// The digits that a text begins with, without leading zeros.
std::string_view takeDigits(std::string_view& text) {
    std::size_t count = 0;
    while (count < text.size() && isDigit(text[count])) ++count;
    auto digits = text.substr(0, count);
    text.remove_prefix(count);
    while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
    return digits;
}

} // namespace

CellNumber cellNumber(std::string_view cell, char separator) {
    if (separator == ',' || cell.find(',') == cell.npos) return pointNumber(cell);
    return pointNumber(withDecimalPoint(cell));
}

std::optional<std::int64_t> wholeNumber(double value) {
    if (!(std::abs(value) <= 9e15) || value != std::floor(value)) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

bool comesBefore(std::string_view one, std::string_view other) {
    const std::string_view whole = one, wholeOther = other;
    while (!one.empty() && !other.empty()) {
        if (isDigit(one.front()) && isDigit(other.front())) {
            const auto a = takeDigits(one), b = takeDigits(other);
            if (a != b) return a.size() != b.size() ? a.size() < b.size() : a < b;
            continue;
        }
        if (one.front() != other.front()) return one.front() < other.front();
        one.remove_prefix(1);
        other.remove_prefix(1);
    }
    return one.empty() != other.empty() ? one.empty() : whole < wholeOther;
}

} // namespace trainyard::imports
