// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/line_splitter.h"

#include <algorithm>
#include <utility>

namespace trainyard::program {

void LineSplitter::add(std::string_view bytes, const Told& told) {
    while (!bytes.empty()) {
        const auto newline = bytes.find('\n');
        auto line = bytes.substr(0, newline);
        for (auto end = line.find('\r'); end != std::string_view::npos; end = line.find('\r')) {
            keep(line.substr(0, end));
            endState();
            line.remove_prefix(end + 1);
        }
        keep(line);
        if (newline == std::string_view::npos) return;
        endLine(told);
        bytes.remove_prefix(newline + 1);
    }
}

void LineSplitter::keep(std::string_view bytes) {
    // A file that was emptied while its writer went on begins with a hole.
    if (m_line.empty()) bytes.remove_prefix(std::min(bytes.find_first_not_of('\0'), bytes.size()));
    m_isCut = m_isCut || bytes.size() > m_longest - m_line.size();
    m_line += bytes.substr(0, m_longest - m_line.size());
}

// The state before it is overwritten. Spaces alone wipe a bar that has ended away: its last state counts.
void LineSplitter::endState() {
    if (m_line.find_first_not_of(' ') == std::string::npos) {
        m_isWiped = m_isWiped || !m_line.empty();
    } else {
        std::swap(m_state, m_line);
        m_stateIsCut = m_isCut;
        m_isWiped = false;
    }
    m_line.clear();
    m_isCut = false;
}

// "\r\n" ends a line, and so does what stands behind the last carriage return before "\n".
void LineSplitter::endLine(const Told& told) {
    if (m_line.empty() && !m_state.empty()) {
        std::swap(m_state, m_line);
        m_isCut = m_stateIsCut;
    } else if (m_isWiped) {
        tellState(told);
    }
    m_state.clear();
    told({m_line, m_number++, false, m_isCut});
    m_line.clear();
    m_isCut = m_isWiped = false;
}

void LineSplitter::tellState(const Told& told) {
    if (!m_state.empty()) told({m_state, m_number, true, m_stateIsCut});
    m_state.clear();
    m_isWiped = false;
}

void LineSplitter::rest(const Told& told) { tellState(told); }

void LineSplitter::end(const Told& told) {
    if (!m_line.empty()) endLine(told);
    else tellState(told);
}

} // namespace trainyard::program
