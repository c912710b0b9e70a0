// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

// The largest source file that is read: a hundred times a long script.
inline constexpr std::size_t kMostSourceBytes = 4u << 20;

// What a token is.
enum class TokenKind : std::uint8_t { Name, Number, Text, Sign, LineEnd };

// A word, number, text or sign of a source.
struct Token {
    TokenKind kind = TokenKind::LineEnd;
    bool raw = false, formatted = false, bytes = false; // of a text: r"", f"", b""
    std::uint32_t line = 0;
    std::uint32_t column = 0;         // of the first one of a line: how far it is indented
    std::uint32_t partner = 0;        // of a bracket the other one
    std::uint32_t begin = 0, end = 0; // in the source
    std::string_view text{};          // of a text what is between its quotation marks

    bool isSign(std::string_view sign) const { return kind == TokenKind::Sign && text == sign; }
    bool isName(std::string_view name) const { return kind == TokenKind::Name && text == name; }
    bool opens() const {
        return kind == TokenKind::Sign && text.size() == 1 &&
               std::string_view("([{").find(text[0]) != std::string_view::npos;
    }
};

// The tokens of a source, which must outlive them; the last one is the end of a line, as there is one for each logical
// line that is not empty, and for each ";". Every bracket has its partner. Input, with the line and a remedy: the
// source is no UTF-8, a text or a bracket does not end, brackets are nested more than 200 deep (Python's own limit), or
// there is a character that Python does not know.
Result<std::vector<Token>> tokensOf(std::string_view source, const std::string& file);

// The text that a token stands for, escapes resolved. Nothing of it is checked: it must be a text.
std::string textOf(const Token& token);

} // namespace trainyard::program
