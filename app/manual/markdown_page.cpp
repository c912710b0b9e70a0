// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual/markdown_page.h"

#include <algorithm>
#include <utility>

namespace trainyard::manual {
namespace {

// `code` and **strong** in bold, links as their text.
std::string inlineRoff(std::string_view text) {
    std::string out, plain;
    const auto flush = [&] {
        out += roffText(plain);
        plain.clear();
    };
    const auto bold = [&](std::size_t begin, std::string_view end) {
        const auto close = text.find(end, begin);
        if (close == std::string_view::npos) return false;
        flush();
        out += "\\fB" + roffText(text.substr(begin, close - begin)) + "\\fR";
        text.remove_prefix(close + end.size());
        return true;
    };
    while (!text.empty()) {
        if (text.starts_with("**") && bold(2, "**")) continue;
        if (text.front() == '`' && bold(1, "`")) continue;
        const auto middle = text.front() == '[' ? text.find("](") : std::string_view::npos;
        const auto close = middle == std::string_view::npos ? middle : text.find(')', middle);
        if (close != std::string_view::npos && text.substr(0, middle).find(']') == std::string_view::npos) {
            plain += text.substr(1, middle - 1);
            text.remove_prefix(close + 1);
            continue;
        }
        plain += text.front();
        text.remove_prefix(1);
    }
    flush();
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

// "| a | `b|c` |": a bar in code is not the end of a cell.
std::vector<std::string> cellsOf(std::string_view line) {
    std::vector<std::string> cells;
    std::string cell;
    bool code = false;
    for (const char each : line.substr(1)) {
        if (each == '`') code = !code;
        if (each == '|' && !code) cells.emplace_back(trimmed(std::exchange(cell, {})));
        else cell += each;
    }
    return cells;
}

class Converter {
public:
    std::string convert(std::string_view document) {
        while (!document.empty()) {
            const auto end = std::min(document.find('\n'), document.size() - 1);
            auto line = document.substr(0, end + 1);
            document.remove_prefix(end + 1);
            if (line.ends_with('\n')) line.remove_suffix(1);
            take(line);
        }
        endBlock();
        return std::move(m_out);
    }

private:
    void take(std::string_view line) {
        if (line.starts_with("```")) return fence();
        if (m_code) {
            m_out += roffText(line) + '\n';
        } else if (line.starts_with('#')) {
            heading(line);
        } else if (line.starts_with('|')) {
            row(line);
        } else if (trimmed(line).empty()) {
            endBlock();
        } else if (line.starts_with("- ")) {
            endBlock();
            m_out += ".IP \\(bu 2\n";
            m_text = line.substr(2);
            m_item = true;
        } else {
            m_header.clear();
            m_text += (m_text.empty() ? "" : " ") + std::string(trimmed(line));
        }
    }

    void fence() {
        endBlock();
        m_out += m_code ? ".fi\n.RE\n" : ".PP\n.RS 4\n.nf\n";
        m_code = !m_code;
    }

    void heading(std::string_view line) {
        endBlock();
        const auto level = line.find_first_not_of('#');
        std::string title;
        for (const char each : trimmed(line.substr(level)))
            if (each != '`') title += each;
        if (level > 1) m_out += (level == 2 ? ".SH " : ".SS ") + roffText(title) + '\n';
        else m_out += ".SH DESCRIPTION\n";
        m_first = true;
    }

    void row(std::string_view line) {
        if (m_header.empty()) {
            endBlock();
            m_header = cellsOf(line);
            return;
        }
        if (line.starts_with("|--") || line.starts_with("| --")) return;
        const auto cells = cellsOf(line);
        std::string text;
        for (std::size_t i = 1; i < cells.size(); ++i) {
            if (cells[i].empty()) continue;
            const bool named = i + 1 < cells.size() && i < m_header.size() && m_header[i] != "type";
            text += (text.empty() ? "" : "; ") + (named ? m_header[i] + ": " : std::string()) + cells[i];
        }
        m_out += ".TP\n" + inlineRoff(cells.empty() ? "" : cells.front()) + '\n' + inlineRoff(text) + '\n';
        m_first = false;
    }

    void endBlock() {
        m_header.clear();
        if (m_text.empty()) return;
        if (!m_item && !m_first) m_out += ".PP\n";
        m_out += inlineRoff(std::exchange(m_text, {})) + '\n';
        m_item = m_first = false;
    }

    std::string m_out, m_text;
    std::vector<std::string> m_header; // of the table that is being read
    bool m_code = false, m_item = false, m_first = false;
};

} // namespace

std::string markdownToRoff(const Page& page, std::string_view document) {
    return roffHead(page) + Converter().convert(document) + roffSeeAlso(page.seeAlso);
}

} // namespace trainyard::manual
