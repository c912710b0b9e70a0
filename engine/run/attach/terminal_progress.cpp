// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/attach/terminal_progress.h"

#include "engine/base/clock.h"
#include "engine/base/text/amounts.h"
#include "engine/base/text/printable.h"
#include "engine/run/record/series/source_series.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace trainyard::run {
namespace {

constexpr double kDrawSeconds = 0.1;
constexpr double kLineSeconds = 2.0;
constexpr std::size_t kOwnMetrics = 3;

std::string format(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
std::string format(const char* pattern, ...) {
    std::array<char, 256> text{};
    va_list values;
    va_start(values, pattern);
    std::vsnprintf(text.data(), text.size(), pattern, values);
    va_end(values);
    return text.data();
}

// Cut to a number of columns, at a whole UTF-8 character.
std::string cut(const std::string& text, int columns) {
    int seen = 0;
    for (std::size_t place = 0; place < text.size(); ++place) {
        if ((static_cast<unsigned char>(text[place]) & 0xC0) == 0x80) continue;
        if (++seen > columns) return text.substr(0, place);
    }
    return text;
}

double fractionOf(const wire::RunState& state) {
    if (state.status == wire::RunStatus::Finished) return 1;
    if (state.totalSteps <= 0) return 0;
    return std::clamp(static_cast<double>(state.step) / static_cast<double>(state.totalSteps), 0.0, 1.0);
}

} // namespace

int TerminalProgress::terminalColumns() {
    constexpr int kUsual = 80, kLeast = 20;
    if (const char* told = std::getenv(kColumnsVariable)) return std::max(kLeast, std::atoi(told));
    const char* terminal = std::getenv("TERM");
    if (!::isatty(STDERR_FILENO) || (terminal && std::string(terminal) == "dumb")) return 0;
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > kLeast ? size.ws_col : kUsual;
}

TerminalProgress::Style TerminalProgress::chooseStyle(Style otherwise) {
    return terminalColumns() > 0 ? Style::Terminal : otherwise;
}

TerminalProgress::TerminalProgress(Style style, std::string name) : m_style(style), m_name(printable(name, 60)) {
    const char* noColor = std::getenv("NO_COLOR");
    m_color = style == Style::Terminal && !(noColor && *noColor);
    if (const int columns = terminalColumns(); columns > 0) m_width = columns;
}

TerminalProgress::~TerminalProgress() {
    if (m_style == Style::Terminal && m_drawn > 0) draw();
}

void TerminalProgress::update(const RunFollower::Update& update) {
    if (update.state) m_state = *update.state;
    for (const auto& delta : update.points)
        if (!delta.points.empty() && tellsOfTraining(delta.series)) m_last[delta.series] = delta.points.back().value;
    if (m_state.notice != m_lastNotice) {
        m_lastNotice = m_state.notice;
        if (m_style == Style::Lines && !m_lastNotice.empty()) say(m_lastNotice);
    }
    const double now = monotonicSeconds();
    const double every = m_style == Style::Terminal ? kDrawSeconds : kLineSeconds;
    if (now - m_lastDraw < every && !update.ended) return;
    m_lastDraw = now;
    if (m_style == Style::Terminal) draw();
    if (m_style == Style::Lines) printLine();
}

void TerminalProgress::say(const std::string& text) {
    if (m_style == Style::Silent) return;
    if (m_drawn > 0) std::fprintf(stderr, "\r\x1b[%dA\x1b[J", m_drawn);
    m_drawn = 0;
    std::fprintf(stderr, "%s\n", printable(text, 1000).c_str());
    if (m_style == Style::Terminal) draw();
}

std::string TerminalProgress::bar(double fraction, int cells) const {
    static constexpr std::array<const char*, 8> kParts{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const int eighths = static_cast<int>(fraction * cells * 8);
    std::string filled, empty;
    for (int cell = 0; cell < eighths / 8; ++cell) filled += "█";
    filled += kParts[static_cast<std::size_t>(eighths % 8)];
    for (int cell = eighths / 8 + (eighths % 8 > 0 ? 1 : 0); cell < cells; ++cell) empty += m_color ? " " : "·";
    return m_color ? "\x1b[38;5;33;48;5;238m" + filled + empty + "\x1b[0m" : "[" + filled + empty + "]";
}

std::string TerminalProgress::values() const {
    std::string text;
    const auto add = [&](const std::string& series, const std::string& label) {
        const auto found = m_last.find(series);
        if (found != m_last.end()) text += format("%s%s %.4f", text.empty() ? "" : "   ", label.c_str(), found->second);
    };
    add("train/loss", "loss");
    add("val/loss", "val loss");
    add("val/accuracy", "val accuracy");
    add("test/accuracy", "test accuracy");
    if (!text.empty()) return text;
    // A program has metrics of its own.
    std::size_t shown = 0;
    for (const auto& [series, value] : m_last) {
        if (series == "epoch" || series == "lr" || series.starts_with("time/") || series == "samples_per_s") continue;
        if (++shown > kOwnMetrics) break;
        add(series, printable(series, 30));
    }
    return text;
}

std::vector<std::string> TerminalProgress::statusLines() const {
    const double fraction = fractionOf(m_state);
    const std::string name = cut(m_name, 28);
    const std::string share = format(" %3.0f%%", fraction * 100);
    const int cells = std::clamp(m_width - 32 - static_cast<int>(name.size()), 10, 60);
    std::string second;
    if (m_state.totalEpochs > 0)
        second = format("epoch %.2f/%lld   ", m_state.epoch, static_cast<long long>(m_state.totalEpochs));
    else if (m_state.epoch > 0) second = format("epoch %.2f   ", m_state.epoch); // a program may not tell it
    second += "step " + grouped(m_state.step);
    if (m_state.totalSteps > 0) second += "/" + grouped(m_state.totalSteps);
    if (m_state.samplesPerSecond > 0)
        second += "   " + grouped(static_cast<std::int64_t>(m_state.samplesPerSecond)) + " samples/s";
    if (m_state.etaSeconds >= 0) second += "   ETA " + durationText(m_state.etaSeconds);
    std::string third = values();
    const bool starting = m_state.phase < wire::Phase::Train && wire::isActive(m_state.status);
    const std::string status = starting
                                   ? std::string(wire::toString(m_state.status)) + ": " + wire::toString(m_state.phase)
                                   : wire::toString(m_state.status);
    third = status + (third.empty() ? "" : "   " + third);
    if (!m_state.notice.empty()) third += "   " + printable(m_state.notice, 200);
    return {name + "  " + bar(fraction, cells) + share, "  " + cut(second, m_width - 3),
            "  " + cut(third, m_width - 3)};
}

void TerminalProgress::draw() {
    std::string text = m_drawn > 0 ? format("\r\x1b[%dA", m_drawn) : "";
    const auto lines = statusLines();
    for (const auto& line : lines) text += line + "\x1b[K\n";
    m_drawn = static_cast<int>(lines.size());
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

void TerminalProgress::printLine() {
    std::string line = m_name + ": " + wire::toString(m_state.status);
    if (m_state.phase < wire::Phase::Train && wire::isActive(m_state.status))
        line += std::string(", ") + wire::toString(m_state.phase);
    if (m_state.step > 0) {
        if (m_state.epoch > 0 || m_state.totalEpochs > 0) line += format(", epoch %.2f", m_state.epoch);
        line += ", step " + std::to_string(m_state.step);
        if (m_state.totalSteps > 0) line += "/" + std::to_string(m_state.totalSteps);
    }
    const auto text = values();
    if (!text.empty()) line += ", " + text;
    if (m_state.samplesPerSecond > 0) line += format(", %.0f samples/s", m_state.samplesPerSecond);
    if (m_state.etaSeconds >= 0) line += ", ETA " + durationText(m_state.etaSeconds);
    if (line == m_lastLine) return; // the end takes its time: test data are measured, files written
    std::fprintf(stderr, "%s\n", line.c_str());
    m_lastLine = std::move(line);
}

} // namespace trainyard::run
