// SPDX-License-Identifier: GPL-3.0-or-later
// What arguments of a script are for, told by their names alone.
#pragma once

#include "engine/program/arguments/argument.h"
#include "engine/spec/run/program_spec.h"

namespace trainyard::program {

// The arguments that a run can give a value by itself; nullptr: the script has none.
struct ArgumentRoles {
    const Argument* output = nullptr; // a folder for what it saves: {output}
    const Argument* resume = nullptr; // a checkpoint to go on from: {checkpoint}; or a switch
    const Argument* seed = nullptr;   // {seed}
};

// Rule: which arguments are for output, resuming and the seed.
// By their names: out_dir, save_dir, resume_from_checkpoint, seed and the like. They point into `known`.
ArgumentRoles argumentRoles(const ScriptArguments& known);

// The words that a run adds when there is a checkpoint; none where the script has no argument for one.
std::vector<std::string> resumeWords(const ArgumentRoles& roles);

// Every argument with its default, as far as a run file can say it, and with what a run gives by itself.
spec::ArgumentValues offeredValues(const ScriptArguments& known);

} // namespace trainyard::program
