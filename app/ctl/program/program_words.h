// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines of programs as run files and sweep files.
#pragma once

#include "app/ctl/session.h"

#include <string>
#include <vector>

namespace trainyard::ctl {

// What `run` and `sweep` are told beside the words of a program.
struct ProgramLine {
    std::vector<std::string> words{}, overrides{};
    std::string name{}, hosts{}; // hosts: "h1,h2:2"
    int workers = 0;             // 0: as the words say, else one

    // --workers, --hosts and --name as overrides, those of --set behind them.
    std::vector<std::string> settings() const;
};
void addProgramOptions(CLI::App& command, ProgramLine& line);

// The run file of a program's words, without the settings. The errors of run::runOfCommand(); Input: its launcher was
// to use several hosts, and none are named.
Result<std::string> runFileOf(const ProgramLine& line);

// What the sweep of a program is told.
struct ProgramSweep {
    ProgramLine line{};
    int trials = 0;                           // 0: all of a grid
    std::string score{}, mode{}, scheduler{}; // empty: not given
};
// The sweep file of a program's words: those with several values vary, "--lr '0.001..0.1 log' --width 64,128". Each
// "path=value" of `overrides` is applied to it, or to its run.
Result<std::string> sweepFileOf(const ProgramSweep& sweep, const std::vector<std::string>& overrides);

} // namespace trainyard::ctl
