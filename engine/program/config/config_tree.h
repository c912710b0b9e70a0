// SPDX-License-Identifier: GPL-3.0-or-later
// Where the values of a file of settings stand in it.
#pragma once

#include "engine/base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

inline constexpr std::size_t kMostConfigValues = 10'000;
inline constexpr int kDeepestConfig = 100;

// A value, and what is in it.
struct ConfigNode {
    // Fixed: a text of several lines, an alias, what has an anchor or a tag: nothing that another value can stand for.
    enum class Kind { Scalar, List, Table, Fixed };
    std::string key{}; // in what it is in; of a list its place: "0"
    Kind kind = Kind::Scalar;
    std::size_t begin = 0, end = 0; // its text, if it is written in one piece
    bool isOnePiece = true;
    int line = 1;
    std::vector<ConfigNode> children{};
};

// A cursor over the text of such a file, with what its readers have in common.
class ConfigText {
public:
    ConfigText(std::string_view text, std::string file) : m_text(text), m_file(std::move(file)) {}

    std::string_view text() const { return m_text; }
    bool isAtEnd() const { return m_at >= m_text.size(); }
    std::size_t at() const { return m_at; }
    void moveTo(std::size_t at) { m_at = at < m_text.size() ? at : m_text.size(); }
    char peek(std::size_t ahead = 0) const { return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0'; }
    bool startsWith(std::string_view what) const { return m_text.substr(m_at).starts_with(what); }
    void skip(std::size_t count = 1) { moveTo(m_at + count); }
    void skipAny(std::string_view characters) {
        while (!isAtEnd() && characters.find(m_text[m_at]) != characters.npos) ++m_at;
    }
    void skipLine() { moveTo(m_text.find('\n', m_at)); } // to its end
    int line() const;                                    // from 1

    // Behind the quoted text that begins here. `escape`: what keeps a quote from ending it, '\0' where two quotes do.
    Result<void> skipQuoted(char escape);
    // One value more. Input: there are too many.
    Result<void> count();
    // Input, with file and line.
    Error error(const std::string& what, const std::string& remedy = {}) const;
    Error errorAt(int line, const std::string& what, const std::string& remedy = {}) const;

private:
    std::string_view m_text;
    std::string m_file;
    std::size_t m_at = 0, m_values = 0;
    mutable std::size_t m_counted = 0; // lines before it
    mutable int m_line = 1;
};

// A key as its text says, without quotes: `"a b"`, 'c', d.
std::string plainKey(std::string_view text);

} // namespace trainyard::program
