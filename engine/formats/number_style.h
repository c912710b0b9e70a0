// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers are written in tables: with a decimal point or comma, with thousands separators, with units.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard::formats {

enum class NumberStyle : unsigned {
    Plain,       // 1234.5 and 1e3
    CommaGroups, // 1,234.5
    Comma,       // 1234,5 and 1.234,5
    Gaps,        // 1 234.5 and 1'234.5
    GapsComma,   // 1 234,5
};
// A set of styles: a text may be a number in several of them, and mean another one in each ("1,234").
using NumberStyles = unsigned;
constexpr NumberStyles bitOf(NumberStyle style) { return 1u << static_cast<unsigned>(style); }
inline constexpr NumberStyles kAnyStyle = 31;

enum class Reading { Number, Word, TooLarge, NotFinite }; // TooLarge: not finite as a float

// What a text says in a style; `number` is set for a Number. A sign may stand in front.
Reading readingOf(std::string_view text, double& number, NumberStyle style = NumberStyle::Plain);

// The styles in which the text is a number of whatever size; 0: a word.
NumberStyles stylesOf(std::string_view text);

// "45%", "12 kg", "$45": a number, and the unit before or behind it.
struct WithUnit {
    std::string number, unit; // unit empty: the text is no number with a unit, or has none
};
WithUnit withUnit(std::string_view text);

// A name for what a word looks like, such as "a date", "a time" or "a hexadecimal number"; empty: nothing special.
const char* lookOf(std::string_view word);

} // namespace trainyard::formats
