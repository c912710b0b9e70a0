// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard::formats {

// Unicode's classes \p{L}, \p{N} and \s, and all else.
enum class LetterKind : unsigned char { Other, Letter, Number, Space };
LetterKind letterKindOf(char32_t code);

} // namespace trainyard::formats
