// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/models/transfer_line.h"

#include "app/ctl/session.h"
#include "engine/base/clock.h"
#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace trainyard::ctl {
namespace {

constexpr double kTerminalSeconds = 0.1, kJsonSeconds = 0.25, kLinesSeconds = 2; // between two

} // namespace

TransferLine::TransferLine(Style style)
    : m_style(style), m_terminal(style == Style::Text && ::isatty(STDERR_FILENO) != 0) {}

void TransferLine::update(const std::string& name, std::int64_t bytes, std::int64_t total) {
    if (m_style == Style::Silent) return;
    const double now = monotonicSeconds();
    if (name != m_name) {
        end();
        m_name = name;
        m_begun = now;
        m_before = bytes;
        m_last = -1;
    }
    const double pause = m_terminal ? kTerminalSeconds : m_style == Style::Json ? kJsonSeconds : kLinesSeconds;
    if (bytes == m_last || (now - m_drawn < pause && bytes != total)) return;
    m_drawn = now;
    m_last = bytes;
    print(bytes, total, static_cast<double>(bytes - m_before) / std::max(1e-3, now - m_begun));
}

void TransferLine::print(std::int64_t bytes, std::int64_t total, double bytesPerSecond) {
    if (m_style == Style::Json) {
        const auto line = asciiJson(Json{{"file", m_name}, {"bytes", bytes}, {"total", total}});
        std::fprintf(stderr, "%s\n", line.c_str());
        return;
    }
    const double share = 100.0 * static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(1, total));
    std::fprintf(stderr, "%s%s  %3.0f%%  %s of %s  %.1f MB/s%s", m_terminal ? "\r\x1b[K" : "",
                 forTerminal(m_name).c_str(), share, bytesText(bytes).c_str(), bytesText(total).c_str(),
                 bytesPerSecond / 1e6, m_terminal ? "" : "\n");
    m_open = m_terminal;
}

void TransferLine::end() {
    if (m_open) std::fputc('\n', stderr);
    m_open = false;
}

} // namespace trainyard::ctl
