// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/config/config_tree.h"

#include "engine/base/text/printable.h"

#include <algorithm>

namespace trainyard::program {

int ConfigText::line() const {
    if (m_at < m_counted) {
        m_counted = 0;
        m_line = 1;
    }
    m_line += static_cast<int>(std::count(m_text.begin() + static_cast<std::ptrdiff_t>(m_counted),
                                          m_text.begin() + static_cast<std::ptrdiff_t>(m_at), '\n'));
    m_counted = m_at;
    return m_line;
}

Result<void> ConfigText::skipQuoted(char escape) {
    const int from = line();
    const char quote = peek();
    for (skip(); !isAtEnd(); skip()) {
        if (escape != '\0' && peek() == escape) {
            skip();
            if (isAtEnd()) break;
        } else if (peek() == quote) {
            skip();
            if (escape != '\0' || peek() != quote) return {};
        }
    }
    return errorAt(from, "this text has no end", "close its quotes");
}

Result<void> ConfigText::count() {
    if (++m_values <= kMostConfigValues) return {};
    return error("has more than 10,000 values", "change it in the file itself, and leave program.config out");
}

Error ConfigText::error(const std::string& what, const std::string& remedy) const {
    return errorAt(line(), what, remedy);
}

Error ConfigText::errorAt(int line, const std::string& what, const std::string& remedy) const {
    return inputError(what, m_file + ", line " + std::to_string(line),
                      remedy.empty() ? "write it another way, or change the file itself and leave program.config out"
                                     : remedy);
}

std::string plainKey(std::string_view text) {
    const bool isQuoted =
        text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
    if (!isQuoted) return std::string(text);
    const char quote = text.front();
    text = text.substr(1, text.size() - 2);
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\' && i + 1 < text.size()) ++i;
        else if (quote == '\'' && text[i] == '\'' && i + 1 < text.size() && text[i + 1] == '\'') ++i;
        out += text[i];
    }
    return out;
}

} // namespace trainyard::program
