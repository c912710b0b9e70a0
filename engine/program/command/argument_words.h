// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments by name as the words of a command line, and back.
#pragma once

#include "engine/base/result.h"
#include "engine/program/arguments/argument.h"
#include "engine/spec/run/program_spec.h"

#include <optional>
#include <string>
#include <vector>

namespace trainyard::program {

// How a value stands behind its name.
enum class WordStyle { Spaced, Equals, Plain }; // --a b, --a=b, a=b
// Of "auto": as the script takes them.
WordStyle wordStyle(const std::string& style, ArgumentStyle script);

// Rule: the words by which a program gets its arguments.
// One for each name and value, never split: of a switch its flag, or nothing; of a truth that is a value its word; of a
// list as many as the argument takes. What equals the script's own default is left out, unless a file of settings may
// have changed it. `known` is nullptr where the script's arguments cannot be read. Input, with the argument: the script
// has none of that name, or one of another type.
Result<std::vector<std::string>> argumentWords(const spec::ArgumentValues& arguments, const std::string& style,
                                               const ScriptArguments* known);

// The argument that a name means: "batch_size", "--batch-size", "b", "train.lr" of a subcommand; nullptr: none.
const Argument* findArgument(const ScriptArguments& known, const std::string& name);

// The same words by name, with the types that the script gives them: nothing where one of the words is no argument that
// is known for certain, or means something that a name and a value cannot say.
std::optional<spec::ArgumentValues> argumentsOf(const std::vector<std::string>& words, const ScriptArguments& known);

} // namespace trainyard::program
