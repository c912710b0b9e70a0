// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/tokens/pieces.h"

#include "engine/base/text/utf8.h"
#include "engine/formats/tokens/letters.h"

#include <array>

namespace trainyard::formats {

namespace {

constexpr std::array<LetterKind, 128> kindsOfAscii() {
    std::array<LetterKind, 128> kinds{};
    for (std::size_t c = 0; c < kinds.size(); ++c) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        kinds[c] = letter                            ? LetterKind::Letter
                   : c >= '0' && c <= '9'            ? LetterKind::Number
                   : c == ' ' || (c >= 9 && c <= 13) ? LetterKind::Space
                                                     : LetterKind::Other;
    }
    return kinds;
}

constexpr std::array<LetterKind, 128> kAscii = kindsOfAscii();

struct Character {
    LetterKind kind = LetterKind::Other;
    std::size_t length = 1;
};

Character characterAt(std::string_view text, std::size_t at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 128) return {kAscii[byte], 1};
    const Utf8Character found = utf8At(text, at);
    return found.length == 0 ? Character{} : Character{letterKindOf(found.code), found.length};
}

// Of 's 't 're 've 'm 'll 'd; 0: none begins here.
std::size_t contraction(std::string_view rest) {
    if (rest.size() < 2 || rest[0] != '\'') return 0;
    switch (rest[1]) {
    case 's':
    case 't':
    case 'm':
    case 'd': return 2;
    default: break;
    }
    const std::string_view two = rest.substr(1, 2);
    return two == "re" || two == "ve" || two == "ll" ? 3 : 0;
}

} // namespace

std::size_t pieceAt(std::string_view text, std::size_t at) {
    if (const std::size_t length = contraction(text.substr(at, 3))) return length;
    std::size_t end = at;
    Character next = characterAt(text, end);
    if (text[at] == ' ' && at + 1 < text.size()) {
        const Character behind = characterAt(text, at + 1);
        if (behind.kind != LetterKind::Space) {
            ++end;
            next = behind;
        }
    }
    const LetterKind kind = next.kind;
    std::size_t last = end; // where the last character begins
    while (next.kind == kind) {
        last = end;
        end += next.length;
        if (end == text.size()) return end - at;
        next = characterAt(text, end);
    }
    // Of several spaces, the last one belongs to what follows, or stands alone.
    return kind == LetterKind::Space && last > at ? last - at : end - at;
}

std::size_t lastSafeCut(std::string_view text) {
    const auto solid = [&](std::size_t i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        return byte < 128 && kAscii[byte] != LetterKind::Space;
    };
    for (std::size_t at = text.size() < 2 ? 0 : text.size() - 2; at > 0; --at)
        if (text[at] == '\n' && solid(at - 1) && solid(at + 1)) return at;
    return 0;
}

} // namespace trainyard::formats
