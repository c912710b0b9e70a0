// SPDX-License-Identifier: GPL-3.0-or-later
// Texts as tokens of a layout, and back.
#pragma once

#include "engine/formats/tokens/bpe.h"
#include "engine/torch/base/token_layout.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::data {

// The tokenizer of a layout of bytes, whose tokens have these names, and a layout of a tokenizer. Input: the names and
// merges do not fit together.
Result<formats::Bpe> bpeOf(const std::vector<std::string>& names, const train::TokenLayout& layout);
train::TokenLayout layoutOfTokens(const formats::BpeTable& table);

// The tokens of a text. Input, naming the byte: a character that is no token.
Result<std::vector<std::int64_t>> tokensOf(const std::string& text, const std::vector<std::string>& names,
                                           const train::TokenLayout& layout);

// The text of one token: that of an end token is its name. It may be a part of a character.
std::string textOfToken(std::int64_t token, const std::vector<std::string>& names, const train::TokenLayout& layout);
// The same to be shown: a part of a character by its name.
std::string shownToken(std::int64_t token, const std::vector<std::string>& names, const train::TokenLayout& layout);

} // namespace trainyard::data
