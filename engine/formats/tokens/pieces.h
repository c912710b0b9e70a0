// SPDX-License-Identifier: GPL-3.0-or-later
// Where byte-level BPE may not join: the pattern that GPT-2 cuts texts with (openai/gpt-2, encoder.py):
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
#pragma once

#include <cstddef>
#include <string_view>

namespace trainyard::formats {

// Bytes of the piece that begins at `at`, which is in the text: at least one. A byte that is not UTF-8 counts as a
// character that is no letter, number or space.
std::size_t pieceAt(std::string_view text, std::size_t at);

// The last place at which the text may be cut so that both halves together have the pieces of the whole: before a line
// feed between two characters that are no spaces, both ASCII. 0: there is none.
std::size_t lastSafeCut(std::string_view text);

} // namespace trainyard::formats
