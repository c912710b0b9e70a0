// SPDX-License-Identifier: GPL-3.0-or-later
// The commands and options that trainyardctl parses with, as values: manual pages and completion are made of them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace trainyard::ctl {

// An option, a flag or a positional argument.
struct OptionInfo {
    std::vector<std::string> names;   // "--follow", "-f"; of a positional its label, "RUN"
    std::string label;                // of its value: "FILE", "NUMBER"; empty: a flag
    std::vector<std::string> choices; // the words it accepts; empty: any
    std::string help, limits, defaultValue;
    bool positional = false, required = false, repeats = false;

    bool takesValue() const { return !label.empty(); }
};

// One command with those below it; the first is the program itself.
struct CommandInfo {
    std::string name, help;
    std::vector<OptionInfo> options;   // without the positional ones
    std::vector<OptionInfo> arguments; // in their order
    std::vector<CommandInfo> commands; // without hidden ones
    bool needsCommand = false;

    const CommandInfo* command(const std::string& word) const;
    const OptionInfo* option(const std::string& name) const;
};

CommandInfo commandTree(const CLI::App& app);

} // namespace trainyard::ctl
