// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/text.h"

#include "engine/base/files/file_reader.h"
#include "engine/base/text/utf8.h"

#include <algorithm>
#include <array>

namespace trainyard::formats {

namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{512} << 20;
constexpr std::size_t kMaxVocabulary = 10'000;
const char* const kSaveAsUtf8 = "save the text in UTF-8";

Error wrongAt(const std::filesystem::path& file, std::size_t byte, const std::string& message,
              const std::string& remedy = kSaveAsUtf8) {
    return inputError(message, file.string() + ", byte " + std::to_string(byte), remedy);
}

Result<std::string> readWhole(const std::filesystem::path& file) {
    TY_ASSIGN(FileReader reader, FileReader::open(file));
    std::string text;
    if (reader.plainSize() > 0) text.reserve(static_cast<std::size_t>(std::min(reader.plainSize(), kMaxBytes)));
    std::array<char, 1 << 16> block{};
    for (std::int64_t got = 1; got > 0;) {
        TY_ASSIGN(got, reader.readSome(block.data(), static_cast<std::int64_t>(block.size())));
        text.append(block.data(), static_cast<std::size_t>(got));
        if (static_cast<std::int64_t>(text.size()) > kMaxBytes)
            return reader.fail("is longer than " + std::to_string(kMaxBytes >> 20) + " MiB");
    }
    return text;
}

} // namespace

Result<CharacterText> readCharacters(const std::filesystem::path& file) {
    TY_ASSIGN(const std::string text, readWhole(file));
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return wrongAt(file, 0, "is text in UTF-16");
    std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    if (at == text.size()) return wrongAt(file, 0, "is empty", "choose a file with text in it");

    CharacterText result;
    result.tokens.reserve(text.size());
    std::vector<std::int32_t> places; // of each code point in `seen`; as long as the largest code point needs
    std::vector<std::pair<char32_t, std::string>> seen;
    while (at < text.size()) {
        const Utf8Character character = utf8At(text, at);
        if (character.length == 0)
            return wrongAt(file, at, "is not UTF-8: byte " + hexByte(static_cast<unsigned char>(text[at])));
        if (character.code == 0) return wrongAt(file, at, "has a NUL byte, so it is not text, or text in UTF-16");
        const bool lineEnd = character.code == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
        if (!lineEnd) {
            if (character.code >= places.size()) places.resize(character.code + 1, -1);
            std::int32_t& place = places[character.code];
            if (place < 0) {
                if (seen.size() == kMaxVocabulary)
                    return wrongAt(file, at,
                                   "has more than " + std::to_string(kMaxVocabulary) + " different characters",
                                   "choose a text of fewer characters");
                place = static_cast<std::int32_t>(seen.size());
                seen.emplace_back(character.code, text.substr(at, character.length));
            }
            result.tokens.push_back(place);
        }
        at += character.length;
    }
    std::sort(seen.begin(), seen.end());
    std::vector<std::int32_t> sorted(seen.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
        sorted[static_cast<std::size_t>(places[seen[i].first])] = static_cast<std::int32_t>(i);
        result.vocabulary.push_back(seen[i].second);
    }
    for (std::int32_t& token : result.tokens) token = sorted[static_cast<std::size_t>(token)];
    return result;
}

} // namespace trainyard::formats
