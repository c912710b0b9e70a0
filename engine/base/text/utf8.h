// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace trainyard {

// A code point and its length in bytes; length 0 for what is not UTF-8 (overlong forms and surrogates among it).
struct Utf8Character {
    char32_t code = 0;
    std::size_t length = 0;
};
// The one that begins at byte `at`, which must be in the text.
Utf8Character utf8At(std::string_view text, std::size_t at);

// The first byte that is not UTF-8, or npos.
std::size_t firstNotUtf8(std::string_view text);
inline bool isUtf8(std::string_view text) { return firstNotUtf8(text) == std::string_view::npos; }

} // namespace trainyard
