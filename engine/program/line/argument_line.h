// SPDX-License-Identifier: GPL-3.0-or-later
// The words behind a script, taken apart by the arguments that it has, and put together again (LINE.md).
#pragma once

#include "engine/program/arguments/argument.h"
#include "engine/spec/run/program_spec.h"

#include <map>
#include <string>
#include <variant>
#include <vector>

namespace trainyard::program {

// What an argument is given: whether its variable is true, or its words.
using Given = std::variant<bool, std::vector<std::string>>;

// A command line by names.
struct ArgumentLine {
    std::string subcommand{};
    std::map<std::string, Given> given{}; // by the name of the argument
    std::vector<std::string> rest{};      // words that belong to no argument
    bool operator==(const ArgumentLine&) const = default;
};

// Arguments as a person sets them: each name once for each subcommand. `--shuffle` and `--no-shuffle` of one variable
// are one that can be negated.
std::vector<Argument> settable(const ScriptArguments& script);

// Whether it is on or off instead of having words.
bool isSwitch(const Argument& argument);
// Whether it takes any number of words.
bool takesList(const Argument& argument);
// What it has where nothing is given: of a switch whether it is on, else the words of its default.
Given defaultOf(const Argument& argument);

// What a line gives, with the types of the script's arguments; of one that is none of its type, the word as it is.
spec::ArgumentValues valuesOf(const ArgumentLine& line, const ScriptArguments& script);
// The words of a line: argumentWords() of its values, and the rest.
std::vector<std::string> wordsOf(const ArgumentLine& line, const ScriptArguments& script, const std::string& style);

// Takes words apart as argparse does: `--lr 0.1`, `--lr=0.1`, `-b64`, `-vv`, a beginning that only one flag has,
// `--` before positional words, `a=b` of Hydra. Total: what belongs to no argument stands in `rest`.
ArgumentLine lineOf(const std::vector<std::string>& words, const ScriptArguments& script);

} // namespace trainyard::program
