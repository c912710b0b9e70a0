// SPDX-License-Identifier: GPL-3.0-or-later
// What a script's arguments are for: where to resume from, where to write, and the seed.
#pragma once

#include "engine/program/arguments/argument.h"

namespace trainyard::program {

// A value that is suggested for an argument.
struct SuggestedArgument {
    std::string name;  // of the argument
    std::string value; // "{output}", "{seed}"
};

// What is suggested for a script. Everything can be changed by hand.
struct ScriptSuggestions {
    // Words that are added where there is a checkpoint: "--resume", "{checkpoint}". Of a program that looks for it by
    // itself its switch: "--resume". Empty: nothing is known, and a restart begins from the beginning.
    std::vector<std::string> resume{};
    std::string resumeArgument{}; // whose words they are; empty: of none that is known
    bool looksItself = false;     // in its own output folder, which must be the same again
    std::vector<SuggestedArgument> output{}, seed{};
    std::string why{}; // whose words they are: "detectron2", "the argument --resume"
};

// Rule: which arguments of a script are for its checkpoint, its output and its seed.
// By the names of its arguments and, for programs that are known, by several of them together.
ScriptSuggestions suggestionsFor(const ScriptArguments& script);

} // namespace trainyard::program
