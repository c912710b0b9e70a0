// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/text/utf8.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::formats {

// A text as numbers: each character (Unicode code point) by its place in the vocabulary.
struct CharacterText {
    std::vector<std::int32_t> tokens;
    std::vector<std::string> vocabulary; // the different characters, by code point, in UTF-8
};

// Reads a UTF-8 file, packed with gzip or not; a byte order mark is passed over, a CR before a LF too. Input, with the
// byte: empty, more than 512 MiB, UTF-16, a NUL, what is not UTF-8, more than 10,000 different characters.
// Environment: it cannot be read.
Result<CharacterText> readCharacters(const std::filesystem::path& file);

using trainyard::isUtf8;

} // namespace trainyard::formats
