// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/utf8.h"

#include <array>

namespace trainyard {

namespace {

constexpr char32_t kEndOfUnicode = 0x110000;

} // namespace

Utf8Character utf8At(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(at);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || at + length > text.size()) return {};
    char32_t code = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80) return {};
        code = (code << 6) | (byte(at + i) & 0x3Fu);
    }
    constexpr std::array<char32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[length] || code >= kEndOfUnicode || (code >= 0xD800 && code < 0xE000)) return {};
    return {code, length};
}

std::size_t firstNotUtf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        if (static_cast<unsigned char>(text[at]) < 0x80) {
            ++at; // most of what is read
            continue;
        }
        const Utf8Character character = utf8At(text, at);
        if (character.length == 0) return at;
        at += character.length;
    }
    return std::string_view::npos;
}

} // namespace trainyard
