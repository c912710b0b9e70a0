// SPDX-License-Identifier: GPL-3.0-or-later
// What a probe has found of a script, and how it goes together with what was read (PROBE.md).
#pragma once

#include "engine/base/result.h"
#include "engine/program/arguments/argument.h"

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::program {

struct ProbeAnswer {
    ScriptArguments found{};
    std::vector<std::string> failed{};  // statements that were skipped: "train.py:3: ValueError: …"
    std::vector<std::string> stubbed{}; // packages that were replaced
    bool isGuessed = false;             // a value that only a replaced package knows was asked for on the way
    double seconds = 0;                 // that the script took

    bool isWhole() const { return failed.empty() && found.style != ArgumentStyle::None; }
};

// Takes any bytes; linear in time and memory. Input: it is no answer of a probe.
Result<ProbeAnswer> readProbeAnswer(std::string_view text, const std::string& where);

// Rule: what a script takes, by what was read and by what a probe has found.
// The probe ran the script: names, defaults, choices, groups and subcommands are its own, and arguments that only it
// has found are added. Place, and the words of type and help, are those of the source. What it could not know stays as
// it was read and marked. What was only read is kept, and marked where the probe saw all of the script.
ScriptArguments withProbe(ScriptArguments read, const ProbeAnswer& probe);

// Whether reading has told all of a script's arguments, so that a probe has nothing to add.
bool isCertain(const ScriptArguments& read);
// Whether two show as the same: names, flags, types, defaults, choices, groups, and what is not certain of them.
bool areSame(const ScriptArguments& one, const ScriptArguments& other);

} // namespace trainyard::program
