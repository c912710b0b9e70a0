// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/formats/tokens/bpe.h"

#include <filesystem>

namespace trainyard::formats {

// The tokenizer of a file: tokenizer.json as Hugging Face's library writes it, or vocab.json with merges.txt beside it,
// as GPT-2's files came. The end token is <|endoftext|>, else </s> or <|end_of_text|>, where there is one. Input, with
// the file: no such file, not byte-level BPE with GPT-2's pattern (another kind, a normaliser, a prefix space), merges
// of another vocabulary, numbers of tokens with gaps, more than 64 MiB, more than a million tokens.
Result<Bpe> readTokenizer(const std::filesystem::path& file);

} // namespace trainyard::formats
