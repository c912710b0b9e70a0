// SPDX-License-Identifier: GPL-3.0-or-later
// The arguments of a program between the run file, the command line and the form.
#pragma once

#include "ui/forms/program/argument_shape.h"

namespace trainyard::ui {

// An argument that the form refuses.
struct ArgumentFault {
    std::string name; // empty: a word that no argument takes
    QString title, message;
};

// The command line of what a run file says. Names that the script does not have become words: "--name value".
program::ArgumentLine lineOfProgram(const spec::Program& program, const program::ScriptArguments& script,
                                    const std::vector<ArgumentShape>& shapes);
// Rule: how a run file keeps a command line.
// By names, with types. As a list of words with a subcommand, with a word of no flag, and with a flag that a script
// whose arguments are all known does not have. Faults of single arguments are appended; those stay as they were typed.
void setArguments(spec::Program& program, const program::ArgumentLine& line, const program::ScriptArguments& script,
                  const std::vector<ArgumentShape>& shapes, QList<ArgumentFault>& faults);
// What must be given, and is not, or not with enough words.
QList<ArgumentFault> missingArguments(const program::ArgumentLine& line, const std::vector<ArgumentShape>& shapes);

} // namespace trainyard::ui
