// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/run_color.h"

#include "engine/base/text/printable.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace trainyard::store {
namespace {

// All of the text as a number; no sign, no blanks.
std::optional<std::uint32_t> wholeNumber(std::string_view text, int base) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

} // namespace

Result<ColorChoice> readColorChoice(std::string_view text) {
    if (text.empty() || text == "auto") return ColorChoice{};
    if (text.size() == 7 && text.front() == '#')
        if (const auto rgb = wholeNumber(text.substr(1), 16)) return ColorChoice{.rgb = rgb};
    if (const auto place = wholeNumber(text, 10); place && *place >= 1 && *place <= kPaletteColors)
        return ColorChoice{.place = static_cast<int>(*place)};
    return inputError("\"" + printable(std::string(text), 20) + "\" is not a colour", "color",
                      "write one as #1f77b4, a number from 1 to " + std::to_string(kPaletteColors) + ", or auto");
}

std::string toText(const ColorChoice& choice) {
    if (!choice.rgb) return choice.place > 0 ? std::to_string(choice.place) : std::string();
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "#%06x", *choice.rgb & 0xffffffU);
    return text.data();
}

} // namespace trainyard::store
