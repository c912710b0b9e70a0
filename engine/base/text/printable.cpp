// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/text/printable.h"

#include <array>
#include <cstdio>
#include <utility>

namespace trainyard {
namespace {

// The code point that starts at text[at] and its length in bytes; length 0 when the bytes are not valid UTF-8.
std::pair<char32_t, std::size_t> codePoint(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(at);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xF0 && lead < 0xF5   ? 4
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xC2 && lead < 0xE0 ? 2
                                                             : 0;
    if (length == 0 || at + length > text.size()) return {0, 0};
    char32_t code = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80) return {0, 0};
        code = (code << 6) | (byte(at + i) & 0x3Fu);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {0, 0};
    return {code, length};
}

// Characters that a terminal or a label would interpret instead of showing.
bool isCommand(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

std::string escaped(char32_t c) {
    if (c == '\n') return "\\n";
    if (c == '\t') return "\\t";
    if (c == '\r') return "\\r";
    std::array<char, 16> text{};
    const int length =
        std::snprintf(text.data(), text.size(), c < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(c));
    return {text.data(), static_cast<std::size_t>(length)};
}

} // namespace

std::string printable(std::string_view text, std::size_t maxLength) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto [code, length] = codePoint(text, at);
        std::string piece;
        if (length == 0) piece = escaped(static_cast<unsigned char>(text[at]));
        else if (isCommand(code)) piece = escaped(code);
        else piece = std::string(text.substr(at, length));
        if (out.size() + piece.size() > maxLength) return out + "…";
        out += piece;
        at += length == 0 ? 1 : length;
    }
    return out;
}

} // namespace trainyard
