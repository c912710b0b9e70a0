// SPDX-License-Identifier: GPL-3.0-or-later
// The colour that a user gives a run.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::store {

inline constexpr int kPaletteColors = 40; // that runs get by themselves, one after another, and can be given

// A place in the palette, whose colours follow the theme of the window, or any other colour. Neither: the run keeps the
// one that it got by itself (RunRow::colorIndex).
struct ColorChoice {
    int place = 0;                      // 1 to kPaletteColors; 0: none
    std::optional<std::uint32_t> rgb{}; // 0xrrggbb
    bool operator==(const ColorChoice&) const = default;
};

// Rule: which words choose the colour of a run.
// "3" for a place, "#1f77b4", "auto" or nothing for neither; Input for another text.
Result<ColorChoice> readColorChoice(std::string_view text);
// As the table of runs has it: small letters, and nothing for neither.
std::string toText(const ColorChoice& choice);

} // namespace trainyard::store
