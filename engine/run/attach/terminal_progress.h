// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/attach/run_follower.h"

namespace trainyard::run {

// Rule: the progress of a run on a terminal.
// Writes to stderr: three lines redrawn in place on a terminal, else a line every few seconds.
class TerminalProgress {
public:
    enum class Style { Terminal, Lines, Silent };
    // Terminal if stderr is one, else `otherwise`.
    static Style chooseStyle(Style otherwise);
    // Columns of the terminal on stderr, also if this program runs on another host for a program that passes its
    // stderr on and tells the number in a variable. 0: no terminal, or one that can only append lines.
    static int terminalColumns();
    static constexpr const char* kColumnsVariable = "TRAINYARD_TERMINAL_COLUMNS";

    TerminalProgress(Style style, std::string name);
    ~TerminalProgress(); // leaves the last state on the screen

    void update(const RunFollower::Update& update);
    // Prints a line above the progress.
    void say(const std::string& text);

private:
    void draw();
    void printLine();
    std::vector<std::string> statusLines() const;
    std::string values() const;
    std::string bar(double fraction, int cells) const;

    Style m_style;
    std::string m_name;
    bool m_color = false;
    int m_width = 80, m_drawn = 0;
    double m_lastDraw = 0;
    wire::RunState m_state;
    std::string m_lastNotice, m_lastLine;
    std::map<std::string, double> m_last;
};

} // namespace trainyard::run
