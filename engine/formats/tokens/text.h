// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/text/utf8.h"
#include "engine/formats/tokens/documents.h"

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

// Numbers the characters of documents, which are UTF-8.
class CharacterTokens {
public:
    // `keeps`: the tokens too, for finish(); else only which characters there are, for encode().
    explicit CharacterTokens(bool keeps = true) : m_keeps(keeps) {}
    // A CR before a LF is passed over. Input, with the byte: more than 10,000 different characters.
    Result<void> add(const DocumentPart& part);
    // The end of a document, as a token behind those of all characters.
    void addEnd() { m_text.tokens.push_back(-1); }
    // The characters in the order of their code points; the end token is not among them.
    CharacterText finish();
    // After finish(), the same text once more: its tokens. Input: a character that was not there.
    Result<void> encode(const DocumentPart& part, std::vector<std::int32_t>& tokens) const;

private:
    bool m_keeps;
    CharacterText m_text;               // its tokens are places in m_seen; -1: an end
    std::vector<std::int32_t> m_places; // of each code point in m_seen; as long as the largest one needs
    std::vector<std::pair<char32_t, std::string>> m_seen;
};

// Reads a UTF-8 file, packed with gzip or not; a byte order mark is passed over, a CR before a LF too. Input, with the
// byte: empty, UTF-16, a NUL, what is not UTF-8, more than 10,000 different characters.
// Environment: it cannot be read.
Result<CharacterText> readCharacters(const std::filesystem::path& file);

using trainyard::isUtf8;

} // namespace trainyard::formats
