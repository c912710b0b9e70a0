// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>
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

// What a text says whose beginning has that form: a 0 is a digit, anything else itself.
std::optional<std::tm> timeOf(std::string_view text, std::string_view form) {
    std::string digits;
    for (std::size_t at = 0; at < form.size(); ++at) {
        if (at >= text.size() || (form[at] == '0' ? !isDigit(text[at]) : text[at] != form[at])) return std::nullopt;
        if (form[at] == '0') digits += text[at];
    }
    const auto part = [&](std::size_t at, std::size_t count) { return std::stoi(digits.substr(at, count)); };
    std::tm time{};
    time.tm_year = part(0, 4) - 1900;
    time.tm_mon = part(4, 2) - 1;
    time.tm_mday = part(6, 2);
    time.tm_hour = part(8, 2);
    time.tm_min = part(10, 2);
    time.tm_sec = part(12, 2);
    const bool sound = time.tm_year >= 70 && time.tm_mon >= 0 && time.tm_mon < 12 && time.tm_mday > 0 &&
                       time.tm_mday <= 31 && time.tm_hour < 24 && time.tm_min < 60 && time.tm_sec <= 60;
    return sound ? std::optional(time) : std::nullopt;
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

double secondsOfIsoTime(std::string_view text) {
    auto time = timeOf(text, "0000-00-00T00:00:00");
    return time ? static_cast<double>(timegm(&*time)) : 0;
}

double secondsInName(std::string_view name) {
    for (std::size_t at = 0; at < name.size(); ++at)
        for (const std::string_view form : {"00000000_000000", "0000-00-00_00-00-00"})
            if (auto time = timeOf(name.substr(at), form)) {
                time->tm_isdst = -1; // as the calendar says
                return static_cast<double>(mktime(&*time));
            }
    return 0;
}

} // namespace trainyard::imports
