// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/text_lines.h"

#include "engine/base/text/amounts.h"

#include <algorithm>
#include <utility>

namespace trainyard::imports {
namespace {

constexpr std::size_t kBlock = 1u << 18;

} // namespace

Result<bool> TextLines::next(std::string_view& line) {
    for (;;) {
        const auto end = m_text.find('\n', std::max(m_at, m_seen));
        if (end != std::string::npos || (m_ended && m_at < m_text.size())) {
            line = std::string_view(m_text).substr(m_at, end == std::string::npos ? end : end - m_at);
            m_at = end == std::string::npos ? m_text.size() : end + 1;
            if (line.ends_with('\r')) line.remove_suffix(1);
            if (++m_number == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
            return true;
        }
        if (m_ended) return false;
        m_text.erase(0, m_at);
        m_at = 0;
        if (m_text.size() > m_mostBytes)
            return inputError("a line has more than " + bytesText(static_cast<std::int64_t>(m_mostBytes)),
                              where(m_number + 1), "is it a table of metrics?");
        m_seen = m_text.size();
        m_text.resize(m_seen + kBlock);
        TY_ASSIGN(const auto got, m_file.readSome(m_text.data() + m_seen, static_cast<std::int64_t>(kBlock)));
        m_text.resize(m_seen + static_cast<std::size_t>(got));
        m_ended = got == 0;
    }
}

Result<void> LinePieces::tell(std::string_view line, const Told& told) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (++m_number == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    return told(line);
}

Result<void> LinePieces::add(std::string_view bytes, const Told& told) {
    for (;;) {
        const auto end = bytes.find('\n');
        if (end == std::string_view::npos) break;
        if (m_half.empty()) {
            TY_TRY(tell(bytes.substr(0, end), told));
        } else {
            m_half += bytes.substr(0, end);
            TY_TRY(tell(m_half, told));
            m_half.clear();
        }
        bytes.remove_prefix(end + 1);
    }
    m_half += bytes;
    if (m_half.size() <= m_mostBytes) return {};
    ++m_number;
    return inputError("a line has more than " + bytesText(static_cast<std::int64_t>(m_mostBytes)), where(),
                      "is it a table of metrics?");
}

Result<void> LinePieces::end(const Told& told) {
    if (m_half.empty()) return {};
    const std::string line = std::exchange(m_half, {});
    return tell(line, told);
}

std::string_view withoutSpaces(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

} // namespace trainyard::imports
