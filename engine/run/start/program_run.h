// SPDX-License-Identifier: GPL-3.0-or-later
// A command line as a run: what the terminal starts, and what the window does with a script that is dropped on it.
#pragma once

#include "engine/program/arguments/argument.h"
#include "engine/program/command/command_line.h"
#include "engine/spec/run/run_spec.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::run {

// A run of a program, and what is known of its script.
struct CommandRun {
    spec::RunSpec spec{};
    std::optional<program::ScriptArguments> known{}; // nothing: no script of Python, or one that cannot be read
    std::optional<int> hosts{};                      // how many its launcher was to use
};

// Rule: the run of a command line.
// As program::commandLineOf() takes it; paths begin at `folder`, where the program runs as well. Words become arguments
// by name where every one is known. Input: the errors of commandLineOf(); the script is missing or a folder.
Result<CommandRun> runOfCommand(const std::vector<std::string>& words, const std::filesystem::path& folder);

// What this computer has for "--nproc_per_node gpu" and "auto".
program::Machine thisMachine();

} // namespace trainyard::run
