// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/printed/printed_tokens.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace trainyard::imports {
namespace {

constexpr std::string_view kWordBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

unsigned char byteOf(char c) { return static_cast<unsigned char>(c); }
bool isDecimal(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isWordStart(char c) { return isLetter(c) || c == '_' || (byteOf(c) & 0x80) != 0; }
bool isWordPart(char c) { return isWordStart(c) || isDecimal(c) || c == '/' || c == '@' || c == '.' || c == '-'; }

class Tokens {
public:
    explicit Tokens(std::string_view line) : m_line(line) {}

    std::vector<PrintedToken> read() {
        m_tokens.reserve(32); // of most lines
        while (m_at < m_line.size()) step();
        return std::move(m_tokens);
    }

private:
    using Kind = PrintedToken::Kind;

    char at(std::size_t index) const { return index < m_line.size() ? m_line[index] : '\0'; }
    void add(PrintedToken token) { m_tokens.push_back(token); }
    void add(Kind kind) { add(PrintedToken{.kind = kind}); }
    void add(Kind kind, std::size_t length) {
        add(PrintedToken{.kind = kind, .text = m_line.substr(m_at, length)});
        m_at += length;
    }

    void step() {
        const char c = at(m_at);
        if (c == ' ' || c == '\t') return gap();
        if (c == '\x1b') return escape();
        if (c == '"' || c == '\'' || c == '`' || c == '*') {
            ++m_at;
        } else if (isDate()) {
            date();
        } else if (beginsNumber() && number()) {
            return;
        } else if (c == '/') {
            path();
        } else if (isWordStart(c)) {
            word();
        } else {
            mark(c);
        }
    }
    // "__main__:train:42": a module, a function and a line.
    bool place() {
        const std::size_t colon = m_line.find_first_not_of(kWordBytes, m_at + 1);
        if (m_at == 0 || !isWordPart(m_line[m_at - 1]) || !isWordStart(at(m_at + 1)) || at(colon) != ':') return false;
        std::size_t end = colon + 1;
        while (isDecimal(at(end))) ++end;
        if (end == colon + 1 || at(end) == '.' || isWordStart(at(end))) return false;
        m_at = end;
        add(Kind::Break);
        return true;
    }
    void mark(char c) {
        if (c == ':' && place()) return;
        if (c == ':' || c == '=') add(Kind::Equals);
        else if (c == '[' || c == '(') add(PrintedToken{.kind = Kind::Open, .text = m_line.substr(m_at, 1)});
        else if (c == ']' || c == ')') add(PrintedToken{.kind = Kind::Close, .text = m_line.substr(m_at, 1)});
        else if (c == '|') add(Kind::Bar);
        else if (c != '-' || !m_tokens.empty()) add(Kind::Break);
        ++m_at;
    }
    // A tab, or two spaces behind a number, begin something new. Numbers are padded: spaces before one do not.
    void gap() {
        const std::size_t from = m_at;
        bool tab = false;
        for (; at(m_at) == ' ' || at(m_at) == '\t'; ++m_at) tab |= at(m_at) == '\t';
        if (m_tokens.empty()) return;
        const Kind last = m_tokens.back().kind;
        if (last == Kind::Close && at(m_at) == '[') return; // "Epoch(train)  [1][ 50/100]"
        if (tab || (m_at - from >= 2 && (last == Kind::Number || last == Kind::Fraction || last == Kind::Close)))
            add(Kind::Break);
    }
    // Colours and cursor movements of a terminal.
    void escape() {
        ++m_at;
        if (at(m_at) != '[') return;
        while (m_at < m_line.size() && !isLetter(m_line[m_at])) ++m_at;
        ++m_at;
    }
    // 12:30:05, 2026-01-31, 31/01/2026, 12:30, and "01/31 12:30:05".
    bool isDate() const {
        if (!isDecimal(at(m_at)) || (m_at > 0 && isWordPart(m_line[m_at - 1]))) return false;
        std::size_t end = m_at, colons = 0, others = 0;
        for (; isDecimal(at(end)) || (isDecimal(at(end + 1)) && isDateMark(at(end))); ++end) {
            colons += at(end) == ':';
            others += at(end) == '-' || at(end) == '/';
        }
        const bool isBeforeTime = others == 1 && at(end) == ' ' && isDecimal(at(end + 1)) && isDecimal(at(end + 2)) &&
                                  at(end + 3) == ':' && isDecimal(at(end + 4));
        return colons + others >= 2 || (colons == 1 && end - m_at >= 4 && end - m_at <= 6) || isBeforeTime;
    }
    static bool isDateMark(char c) { return c == ':' || c == '-' || c == '/'; }
    void date() {
        const std::string_view marks = ":-/.,TZ+";
        while (isDecimal(at(m_at)) || (marks.find(at(m_at)) != std::string_view::npos && isDecimal(at(m_at + 1))))
            ++m_at;
        add(Kind::Break);
    }
    bool beginsNumber() const {
        const char c = at(m_at), next = at(m_at + 1);
        const bool sign = c == '-' || c == '+';
        if (isDecimal(c) || ((sign || c == '.') && (isDecimal(next) || (next == '.' && isDecimal(at(m_at + 2))))))
            return true;
        const std::string word = lowerCase(m_line.substr(m_at + sign, 8));
        for (const char* each : {"nan", "infinity", "inf"})
            if (word.starts_with(each)) return !isWordPart(at(m_at + sign + std::string_view(each).size()));
        return false;
    }
    // A number too large for a double is infinite.
    std::optional<double> digits(std::size_t& at) const {
        const bool hasSign = at < m_line.size() && (m_line[at] == '-' || m_line[at] == '+');
        const char* const begin = m_line.data() + at + hasSign;
        double value = std::numeric_limits<double>::infinity();
        const auto parsed = std::from_chars(begin, m_line.data() + m_line.size(), value);
        if (parsed.ec == std::errc::invalid_argument) return std::nullopt;
        const bool isNegative = hasSign && m_line[at] == '-';
        at = static_cast<std::size_t>(parsed.ptr - m_line.data());
        return isNegative ? -value : value;
    }
    // 12,001 is one number: where groups of three digits follow a comma.
    double grouped(double value, std::size_t from, std::size_t& end) const {
        if (end - from > 3 || m_line.substr(from, end - from).find_first_not_of("0123456789") != std::string_view::npos)
            return value;
        for (; at(end) == ',' && isDecimal(at(end + 1)) && isDecimal(at(end + 2)) && isDecimal(at(end + 3)) &&
               !isDecimal(at(end + 4));
             end += 4)
            value = 1000 * value + 100 * (at(end + 1) - '0') + 10 * (at(end + 2) - '0') + (at(end + 3) - '0');
        return value;
    }
    static bool isCount(double value) { return value >= 0 && value < 1e15 && value == std::floor(value); }
    // False where it is too large for a double, or the beginning of a word such as 3d_loss.
    bool number() {
        std::size_t end = m_at;
        auto value = digits(end);
        if (!value) return false;
        value = grouped(*value, m_at, end);
        PrintedToken token{.kind = Kind::Number, .text = m_line.substr(m_at, end - m_at), .value = *value};
        if (at(end) == '%' && at(end + 1) == '|') return bar(end + 2);
        std::size_t slash = end;
        while (at(slash) == ' ') ++slash;
        if (at(slash) == '/' && isCount(*value)) {
            std::size_t after = slash + 1;
            while (at(after) == ' ') ++after;
            const auto total = isDecimal(at(after)) ? digits(after) : std::nullopt;
            if (total && isCount(*total) && *total > 0 && *value <= *total && !isLetter(at(after))) {
                token.kind = Kind::Fraction;
                token.total = *total;
                end = after;
            }
        }
        if (at(end) == '.') ++end; // the end of a sentence
        if (at(end) == '%') ++end;
        // "1-100": a range is no value, either.
        const bool isRange = at(end) == '-' && isDecimal(at(end + 1));
        token.hasUnit = isRange || isLetter(at(end)) || at(end) == '_' || (at(end) == '/' && isLetter(at(end + 1)));
        while (isWordPart(at(end)) && (isRange || at(end) != '-')) ++end;
        m_at = end;
        add(token);
        return true;
    }
    // "45%|####      |" of a progress bar.
    bool bar(std::size_t from) {
        const std::size_t end = m_line.find('|', from);
        m_at = end == std::string_view::npos ? m_line.size() : end + 1;
        add(Kind::Break);
        return true;
    }
    void path() {
        while (isWordPart(at(m_at))) ++m_at;
        add(Kind::Break);
    }
    void word() {
        std::size_t end = m_at;
        while (isWordPart(at(end)) || (at(end) == '\'' && isLetter(at(end + 1)))) ++end;
        std::size_t last = end;
        while (last > m_at && std::string_view(".-").find(m_line[last - 1]) != std::string_view::npos) --last;
        add(Kind::Word, last - m_at);
        m_at = end;
    }

    std::string_view m_line;
    std::size_t m_at = 0;
    std::vector<PrintedToken> m_tokens{};
};

} // namespace

std::vector<PrintedToken> printedTokens(std::string_view line) { return Tokens(line).read(); }

std::string lowerCase(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

} // namespace trainyard::imports
