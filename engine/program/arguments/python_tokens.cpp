// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/arguments/python_tokens.h"

#include "engine/base/text/printable.h"
#include "engine/base/text/utf8.h"

#include <algorithm>
#include <array>

namespace trainyard::program {
namespace {

constexpr std::size_t kMostNested = 200;
constexpr int kMostNestedTexts = 10; // f-strings in f-strings

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool startsName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool isQuote(char c) { return c == '"' || c == '\''; }

class Lexer {
public:
    Lexer(std::string_view source, const std::string& file) : m_source(source), m_file(file) {}

    Result<std::vector<Token>> run() {
        if (m_source.starts_with("\xEF\xBB\xBF")) m_at = 3;
        if (const auto bad = firstNotUtf8(m_source); bad != m_source.npos) {
            m_line +=
                static_cast<std::uint32_t>(std::count(m_source.begin(), m_source.begin() + std::ptrdiff_t(bad), '\n'));
            return fail("is not UTF-8 text", "save it as UTF-8");
        }
        m_tokens.reserve(m_source.size() / 4);
        indentation();
        while (m_at < m_source.size()) TY_TRY(next());
        endLine();
        if (m_tokens.empty()) add(TokenKind::LineEnd, m_at, m_at);
        if (m_open.empty()) return std::move(m_tokens);
        m_line = m_tokens[m_open.back()].line;
        return fail("\"" + std::string(m_tokens[m_open.back()].text) + "\" is never closed", "close it");
    }

private:
    char at(std::size_t index) const { return index < m_source.size() ? m_source[index] : '\0'; }

    Error fail(const std::string& message, const std::string& remedy) const {
        return inputError(message, m_file + ", line " + std::to_string(m_line), remedy);
    }

    void indentation() {
        m_column = 0;
        for (; at(m_at) == ' ' || at(m_at) == '\t' || at(m_at) == '\f'; ++m_at)
            m_column = at(m_at) == '\t' ? (m_column / 8 + 1) * 8 : m_column + 1;
    }

    Token& add(TokenKind kind, std::size_t begin, std::size_t end) {
        auto& token = m_tokens.emplace_back();
        token.kind = kind;
        token.line = m_line;
        token.column = m_column;
        token.begin = static_cast<std::uint32_t>(begin);
        token.end = static_cast<std::uint32_t>(end);
        token.text = m_source.substr(begin, end - begin);
        return token;
    }

    void endLine() {
        if (!m_tokens.empty() && m_tokens.back().kind != TokenKind::LineEnd) add(TokenKind::LineEnd, m_at, m_at);
    }

    Result<void> next() {
        const char c = m_source[m_at];
        if (c == '\n') {
            newLine();
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            ++m_at;
        } else if (c == '#') {
            m_at = std::min(m_source.find('\n', m_at), m_source.size());
        } else if (c == '\\') {
            return continuedLine();
        } else if (startsName(c)) {
            return nameOrText();
        } else if (isDigit(c) || (c == '.' && isDigit(at(m_at + 1)))) {
            number();
        } else if (isQuote(c)) {
            return text(m_at, {});
        } else {
            return sign();
        }
        return {};
    }

    void newLine() {
        if (m_open.empty()) endLine();
        ++m_at;
        ++m_line;
        if (m_open.empty()) indentation();
    }

    Result<void> continuedLine() {
        m_at += at(m_at + 1) == '\r' ? 2u : 1u;
        if (m_at < m_source.size() && at(m_at) != '\n')
            return fail("there is something behind a \"\\\"", "end the line there");
        m_at = std::min(m_at + 1, m_source.size());
        ++m_line;
        return {};
    }

    Result<void> nameOrText() {
        std::size_t end = m_at;
        while (startsName(at(end)) || isDigit(at(end))) ++end;
        const auto word = m_source.substr(m_at, end - m_at);
        if (isQuote(at(end)) && word.size() <= 2 && word.find_first_not_of("rRbBfFuUtT") == word.npos)
            return text(end, word);
        add(TokenKind::Name, m_at, end);
        m_at = end;
        return {};
    }

    void number() {
        const bool hex = at(m_at) == '0' && (at(m_at + 1) == 'x' || at(m_at + 1) == 'X');
        std::size_t end = m_at + 1;
        for (;; ++end) {
            const bool exponent = !hex && (at(end - 1) == 'e' || at(end - 1) == 'E');
            const bool signOfExponent = exponent && (at(end) == '+' || at(end) == '-') && isDigit(at(end + 1));
            const char c = at(end);
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
            if (!isDigit(c) && !letter && c != '.' && !signOfExponent) break;
        }
        add(TokenKind::Number, m_at, end);
        m_at = end;
    }

    Result<void> text(std::size_t quote, std::string_view prefix) {
        const auto has = [&](std::string_view letters) { return prefix.find_first_of(letters) != prefix.npos; };
        const std::size_t begin = m_at;
        const auto line = m_line;
        const bool formatted = has("fFtT");
        const std::size_t marks = marksAt(quote);
        m_at = quote;
        TY_TRY(skipText(formatted, 0));
        auto& token = add(TokenKind::Text, begin, m_at);
        token.line = line;
        token.raw = has("rR");
        token.formatted = formatted;
        token.bytes = has("bB");
        token.text = m_source.substr(quote + marks, m_at - quote - 2 * marks);
        return {};
    }

    std::size_t marksAt(std::size_t quote) const {
        return at(quote + 1) == at(quote) && at(quote + 2) == at(quote) ? 3 : 1;
    }

    // From its first quotation mark to behind its last one.
    Result<void> skipText(bool formatted, int depth) {
        const std::size_t marks = marksAt(m_at);
        const auto end = m_source.substr(m_at, marks);
        const auto begun = m_line;
        for (m_at += marks; m_at < m_source.size();) {
            if (m_source.substr(m_at, marks) == end) {
                m_at += marks;
                return {};
            }
            if (at(m_at) == '\n' && marks == 1) break;
            if (formatted && at(m_at) == '{') {
                if (at(m_at + 1) != '{') {
                    TY_TRY(skipField(end, depth));
                    continue;
                }
                ++m_at;
            }
            if (at(m_at) == '\\') m_at += at(m_at + 1) == '\r' ? 2u : 1u;
            if (at(m_at) == '\n') ++m_line;
            ++m_at;
        }
        m_at = std::min(m_at, m_source.size());
        m_line = begun;
        return fail("a text does not end", "close it with " + std::string(end));
    }

    // "{expression!r:format}" of a formatted text; in the expression quotation marks begin texts, in the format they
    // are characters like others.
    Result<void> skipField(std::string_view endOfText, int depth) {
        if (depth > kMostNestedTexts) return fail("formatted texts are nested too deep", "write it in several steps");
        const auto begun = m_line;
        std::size_t brackets = 0;
        bool format = false;
        for (++m_at; m_at < m_source.size(); ++m_at) {
            const char c = at(m_at);
            if (c == '\n' && endOfText.size() == 1 && format) break;
            if (c == '\n') ++m_line;
            if (format) {
                if (m_source.substr(m_at, endOfText.size()) == endOfText) break;
                if (c == '{') {
                    TY_TRY(skipField(endOfText, depth + 1));
                    --m_at;
                }
            } else if (isQuote(c)) {
                const char before = at(m_at - 1);
                TY_TRY(skipText(before == 'f' || before == 'F', depth + 1));
                --m_at;
            } else if (c == '(' || c == '[' || c == '{') {
                ++brackets;
            } else if (brackets > 0 && (c == ')' || c == ']' || c == '}')) {
                --brackets;
                continue;
            } else if (c == ':' && brackets == 0) {
                format = true;
            }
            if (c == '}' && brackets == 0) {
                ++m_at;
                return {};
            }
        }
        m_line = begun;
        return fail("a field of a formatted text does not end", "close it with \"}\"");
    }

    Result<void> sign() {
        static constexpr std::array<std::string_view, 25> kSigns{
            "**=", "//=", ">>=", "<<=", "...", "**", "//", "->", "==", "!=", "<=", ">=", "+=",
            "-=",  "*=",  "/=",  ":=",  "<<",  ">>", "%=", "@=", "&=", "|=", "^=", "<>"};
        static constexpr std::string_view kOne = "()[]{},:.;@=+-*/%&|^~<>";
        const auto rest = m_source.substr(m_at);
        const auto found =
            std::find_if(kSigns.begin(), kSigns.end(), [&](auto each) { return rest.starts_with(each); });
        if (found == kSigns.end() && kOne.find(rest[0]) == kOne.npos)
            return fail("there is a \"" + printable(rest.substr(0, 1)) + "\", which Python does not know here",
                        "check the line; a notebook must be saved as a script first");
        if (rest[0] == ';' && m_open.empty()) {
            endLine();
            ++m_at;
            return {};
        }
        const std::size_t length = found == kSigns.end() ? 1 : found->size();
        add(TokenKind::Sign, m_at, m_at + length);
        m_at += length;
        return bracket();
    }

    // Of the last token, if it is one.
    Result<void> bracket() {
        const std::size_t index = m_tokens.size() - 1;
        const auto sign = m_tokens[index].text;
        if (m_tokens[index].opens()) {
            if (m_open.size() >= kMostNested)
                return fail("brackets are nested more than 200 deep", "write it in several steps");
            m_open.push_back(index);
        } else if (sign == ")" || sign == "]" || sign == "}") {
            const char opening = sign == ")" ? '(' : sign == "]" ? '[' : '{';
            if (m_open.empty() || m_tokens[m_open.back()].text[0] != opening)
                return fail("\"" + std::string(sign) + "\" closes nothing", "remove it, or open it before");
            m_tokens[index].partner = static_cast<std::uint32_t>(m_open.back());
            m_tokens[m_open.back()].partner = static_cast<std::uint32_t>(index);
            m_open.pop_back();
        }
        return {};
    }

    std::string_view m_source;
    const std::string& m_file;
    std::vector<Token> m_tokens{};
    std::vector<std::size_t> m_open{};
    std::size_t m_at = 0;
    std::uint32_t m_line = 1, m_column = 0;
};

void appendUtf8(std::string& text, std::uint32_t code) {
    const auto add = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code >= 0x110000 || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;
    if (code < 0x80) return add(code);
    if (code < 0x800) {
        add(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        add(0xE0 | code >> 12);
        add(0x80 | (code >> 6 & 0x3F));
    } else {
        add(0xF0 | code >> 18);
        add(0x80 | (code >> 12 & 0x3F));
        add(0x80 | (code >> 6 & 0x3F));
    }
    add(0x80 | (code & 0x3F));
}

// Up to `most` digits of that base from `at` on, as a character.
std::size_t appendNumbered(std::string& text, std::string_view body, std::size_t at, std::size_t most, unsigned base) {
    std::uint32_t code = 0;
    std::size_t end = at;
    for (; end < body.size() && end < at + most; ++end) {
        const char c = body[end];
        const unsigned digit = isDigit(c)             ? unsigned(c - '0')
                               : c >= 'a' && c <= 'f' ? unsigned(c - 'a') + 10
                               : c >= 'A' && c <= 'F' ? unsigned(c - 'A') + 10
                                                      : 99;
        if (digit >= base) break;
        code = code * base + digit;
    }
    appendUtf8(text, code);
    return end;
}

// What follows a "\"; the place behind it.
std::size_t appendEscaped(std::string& text, std::string_view body, std::size_t at) {
    static constexpr std::string_view kLetters = "ntrabfv\\'\"", kMeant = "\n\t\r\a\b\f\v\\'\"";
    const char c = body[at];
    if (const auto found = kLetters.find(c); found != kLetters.npos) {
        text += kMeant[found];
        return at + 1;
    }
    switch (c) {
    case '\n': return at + 1;
    case '\r': return at + (at + 1 < body.size() && body[at + 1] == '\n' ? 2u : 1u);
    case 'x': return appendNumbered(text, body, at + 1, 2, 16);
    case 'u': return appendNumbered(text, body, at + 1, 4, 16);
    case 'U': return appendNumbered(text, body, at + 1, 8, 16);
    default: break;
    }
    if (c >= '0' && c <= '7') return appendNumbered(text, body, at, 3, 8);
    text += '\\';
    text += c;
    return at + 1;
}

} // namespace

Result<std::vector<Token>> tokensOf(std::string_view source, const std::string& file) {
    return Lexer(source, file).run();
}

std::string textOf(const Token& token) {
    if (token.raw) return std::string(token.text);
    std::string text;
    for (std::size_t at = 0; at < token.text.size();) {
        if (token.text[at] == '\\' && at + 1 < token.text.size()) at = appendEscaped(text, token.text, at + 1);
        else text += token.text[at++];
    }
    return text;
}

} // namespace trainyard::program
