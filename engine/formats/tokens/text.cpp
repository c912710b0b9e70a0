// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/tokens/text.h"

#include <algorithm>

namespace trainyard::formats {

namespace {

constexpr std::size_t kMaxVocabulary = 10'000;

} // namespace

Result<void> CharacterTokens::add(const DocumentPart& part) {
    const std::string_view text = part.text;
    if (m_keeps) m_text.tokens.reserve(m_text.tokens.size() + text.size());
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character character = utf8At(text, at);
        const bool lineEnd = character.code == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
        if (!lineEnd) {
            if (character.code >= m_places.size()) m_places.resize(character.code + 1, -1);
            std::int32_t& place = m_places[character.code];
            if (place < 0) {
                if (m_seen.size() == kMaxVocabulary)
                    return inputError("has more than " + std::to_string(kMaxVocabulary) + " different characters",
                                      std::string(part.file) + ", byte " + std::to_string(part.offset + at),
                                      "choose a text of fewer characters, or set dataset.params.tokens to \"bpe\"");
                place = static_cast<std::int32_t>(m_seen.size());
                m_seen.emplace_back(character.code, text.substr(at, character.length));
            }
            if (m_keeps) m_text.tokens.push_back(place);
        }
        at += character.length;
    }
    return {};
}

CharacterText CharacterTokens::finish() {
    std::sort(m_seen.begin(), m_seen.end());
    std::vector<std::int32_t> sorted(m_seen.size());
    for (std::size_t i = 0; i < m_seen.size(); ++i) {
        sorted[static_cast<std::size_t>(m_places[m_seen[i].first])] = static_cast<std::int32_t>(i);
        m_text.vocabulary.push_back(m_seen[i].second);
    }
    const auto end = static_cast<std::int32_t>(m_seen.size());
    for (std::int32_t& token : m_text.tokens) token = token < 0 ? end : sorted[static_cast<std::size_t>(token)];
    for (std::int32_t& place : m_places)
        if (place >= 0) place = sorted[static_cast<std::size_t>(place)];
    return std::move(m_text);
}

Result<void> CharacterTokens::encode(const DocumentPart& part, std::vector<std::int32_t>& tokens) const {
    for (std::size_t at = 0; at < part.text.size();) {
        const Utf8Character character = utf8At(part.text, at);
        const bool lineEnd = character.code == '\r' && at + 1 < part.text.size() && part.text[at + 1] == '\n';
        if (!lineEnd) {
            if (character.code >= m_places.size() || m_places[character.code] < 0)
                return inputError("has changed while it was read", std::string(part.file),
                                  "start again when nothing writes to it");
            tokens.push_back(m_places[character.code]);
        }
        at += character.length;
    }
    return {};
}

Result<CharacterText> readCharacters(const std::filesystem::path& file) {
    TY_ASSIGN(const DocumentFiles documents, oneDocumentFile(file));
    CharacterTokens tokens;
    TY_TRY(eachDocument(documents, "text", false, [&](const DocumentPart& part) { return tokens.add(part); }));
    return tokens.finish();
}

} // namespace trainyard::formats
