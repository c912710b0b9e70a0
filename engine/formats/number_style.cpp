// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/number_style.h"

#include <algorithm>
#include <array>
#include <cfloat>
#include <charconv>
#include <cmath>
#include <utility>

namespace trainyard::formats {

namespace {

constexpr std::size_t kMaxUnit = 12; // bytes

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isBeyondAscii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

// Spaces and apostrophes that group digits, and minus signs, in the one form that is looked for below.
std::string simplified(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, char>, 6> kForms{{{"\xC2\xA0", ' '},
                                                                              {"\xE2\x80\xAF", ' '},
                                                                              {"\xE2\x80\x89", ' '},
                                                                              {"\xE2\x80\x99", ' '},
                                                                              {"'", ' '},
                                                                              {"\xE2\x88\x92", '-'}}};
    std::string simple;
    for (std::size_t at = 0; at < text.size();) {
        const auto form = std::find_if(kForms.begin(), kForms.end(),
                                       [&](const auto& each) { return text.substr(at).starts_with(each.first); });
        simple += form == kForms.end() ? text[at] : form->second;
        at += form == kForms.end() ? 1 : form->first.size();
    }
    return simple;
}

// The same number without groups and with a point; empty: it is none in that style.
std::string pointed(std::string_view text, char decimal, char group) {
    std::string out;
    std::size_t at = 0;
    if (text.starts_with('-') || text.starts_with('+')) {
        if (text[0] == '-') out = "-";
        ++at;
    }
    const bool zero = at < text.size() && text[at] == '0'; // no group: 0,567 is no thousand
    std::size_t run = 0;
    bool grouped = false;
    for (; at < text.size(); ++at) {
        const bool ends = text[at] == group && !zero && (grouped ? run == 3 : run >= 1 && run <= 3);
        if (!ends && !isDigit(text[at])) break;
        if (!ends) out += text[at];
        run = ends ? 0 : run + 1;
        grouped = grouped || ends;
    }
    if (run == 0 || (grouped && run != 3)) return {};
    if (at < text.size() && text[at] == decimal) {
        const std::size_t digits = std::min(text.find_first_not_of("0123456789", at + 1), text.size());
        if (digits == at + 1) return {};
        out += '.';
        out += text.substr(at + 1, digits - at - 1);
        at = digits;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) out += text.substr(std::exchange(at, text.size()));
    return at == text.size() ? out : std::string();
}

Reading plainReading(std::string_view text, double& number) {
    const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(begin, end, number);
    if (stop != end || stop == begin) return Reading::Word;
    if (problem == std::errc::result_out_of_range) return Reading::TooLarge;
    if (problem != std::errc()) return Reading::Word;
    if (!std::isfinite(number)) return Reading::NotFinite;
    return std::abs(number) > static_cast<double>(FLT_MAX) ? Reading::TooLarge : Reading::Number;
}

std::string pointedIn(std::string_view text, NumberStyle style) {
    switch (style) {
    case NumberStyle::CommaGroups: return pointed(text, '.', ',');
    case NumberStyle::Comma: return pointed(text, ',', '.');
    case NumberStyle::Gaps: return pointed(text, '.', ' ');
    case NumberStyle::GapsComma: return pointed(text, ',', ' ');
    case NumberStyle::Plain: break;
    }
    return std::string(text);
}

bool isUnit(std::string_view text) {
    if (text.empty() || text.size() > kMaxUnit ||
        !(isLetter(text[0]) || isBeyondAscii(text[0]) || text[0] == '%' || text[0] == '$'))
        return false;
    return std::all_of(text.begin(), text.end(), [](char c) {
        return isLetter(c) || isBeyondAscii(c) || std::string_view("%$/^. ").find(c) != std::string_view::npos;
    });
}

// The currency that a text begins with.
std::string_view currencyOf(std::string_view text) {
    for (const std::string_view each : {"US$", "USD", "EUR", "GBP", "CHF", "$", "€", "£", "¥", "₹"})
        if (text.starts_with(each)) return each;
    return {};
}

// "31.12.2024" as "9.9.9": each run of digits is one 9.
std::string patternOf(std::string_view word) {
    std::string pattern;
    for (const char c : word)
        if (!isDigit(c)) pattern += c;
        else if (!pattern.ends_with('9')) pattern += '9';
    return pattern;
}

} // namespace

Reading readingOf(std::string_view text, double& number, NumberStyle style) {
    if (style == NumberStyle::Plain) return plainReading(text, number);
    const std::string point = pointedIn(simplified(text), style);
    if (!point.empty()) return plainReading(point, number);
    const bool endless = plainReading(text, number) == Reading::NotFinite; // "inf" is so in any style
    return endless ? Reading::NotFinite : Reading::Word;
}

NumberStyles stylesOf(std::string_view text) {
    double number = 0;
    if (plainReading(text, number) != Reading::Word) { // nearly every number
        if (text.find('.') == std::string_view::npos) return kAnyStyle;
        const bool groups = !pointed(text, ',', '.').empty(); // 1.234
        return bitOf(NumberStyle::Plain) | bitOf(NumberStyle::CommaGroups) | bitOf(NumberStyle::Gaps) |
               (groups ? bitOf(NumberStyle::Comma) : 0u);
    }
    if (text.empty() || text.find_first_of("0123456789") == std::string_view::npos) return 0;
    const std::string simple = simplified(text);
    NumberStyles styles = 0;
    for (const NumberStyle style :
         {NumberStyle::CommaGroups, NumberStyle::Comma, NumberStyle::Gaps, NumberStyle::GapsComma}) {
        const std::string found = pointedIn(simple, style);
        if (!found.empty() && plainReading(found, number) != Reading::Word) styles |= bitOf(style);
    }
    return styles;
}

WithUnit withUnit(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) return {};
    std::string sign;
    if (text.starts_with('-') && !currencyOf(text.substr(1)).empty()) {
        sign = "-";
        text.remove_prefix(1);
    }
    const std::string_view before = currencyOf(text);
    text.remove_prefix(before.size());
    if (!before.empty() && text.starts_with(' ')) text.remove_prefix(1);
    std::size_t end = text.find_last_of("0123456789");
    if (end == std::string_view::npos) return {};
    end = end + 1 < text.size() && text[end + 1] == '.' ? end + 2 : end + 1;
    std::string_view after = text.substr(end);
    while (after.starts_with(' ')) after.remove_prefix(1);
    if (before.empty() == after.empty() || (before.empty() && !isUnit(after))) return {};
    std::string number = sign + std::string(text.substr(0, end));
    if (stylesOf(number) == 0) return {};
    return {std::move(number), std::string(before.empty() ? after : before)};
}

const char* lookOf(std::string_view word) {
    if (word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X') &&
        word.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos)
        return "a hexadecimal number";
    const std::string pattern = patternOf(word);
    const std::size_t day = std::min(word.find_first_of(" T"), word.size()); // the time of day may follow
    for (const char* date : {"9-9-9", "9.9.9", "9/9/9"})
        if (day >= 6 && day <= 10 && patternOf(word.substr(0, day)) == date) return "a date";
    if (pattern == "9:9" || pattern == "9:9:9" || pattern == "9:9:9.9") return "a time";
    return "";
}

} // namespace trainyard::formats
