// SPDX-License-Identifier: GPL-3.0-or-later
// One call that adds an argument, as the argument.
#pragma once

#include "engine/program/arguments/python_expression.h"

namespace trainyard::program {

// Where a call stands: its file, and the bracket that opens behind its name.
struct Call {
    const PythonFile* file = nullptr;
    std::size_t open = 0;

    std::vector<Given> given() const { return file->given(open); }
    const Given* find(const std::vector<Given>& given, std::string_view keyword) const;
};

// What became of a call: an argument, or why there is none; neither: it adds nothing that a run would give (help).
struct AddedArgument {
    std::optional<Argument> argument{};
    std::string unread{};
};

// parser.add_argument("--lr", type=float, default=0.1).
AddedArgument argparseArgument(PythonProject& project, const Call& call);
// @click.option("--lr", type=float, default=0.1), @click.argument("path").
AddedArgument clickArgument(PythonProject& project, const Call& call, bool positional);
// flags.DEFINE_float("lr", 0.1, "the learning rate").
AddedArgument abslArgument(PythonProject& project, const Call& call, std::string_view kind);

// Sets its default, or says in `computed` what it is computed from.
void setDefault(Argument& argument, Value value);
void setChoices(Argument& argument, Value value);
// The type of a value: "int", "float", "bool", else "str".
std::string typeOf(const Value& value);
// "--learning-rate" as the name of a variable: "learning_rate".
std::string variableName(std::string_view flag);

} // namespace trainyard::program
