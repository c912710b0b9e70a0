// SPDX-License-Identifier: GPL-3.0-or-later
// Command lines that end in those of a program: trainyardctl run --workers 2 train.py --lr 0.1.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace trainyard::ctl {

// A command line, divided.
struct DividedLine {
    std::vector<std::string> own{};     // for trainyardctl
    std::vector<std::string> program{}; // a script or a command with its words; empty: the line names a file of ours
};

// Rule: where the words of a program begin.
// Behind `run` and `sweep` the first word that is no option, no value of one and no run or sweep file, `-m`, or what
// follows `--`. `words` follow the name of trainyardctl.
DividedLine divideLine(const CLI::App& app, const std::vector<std::string>& words);

} // namespace trainyard::ctl
