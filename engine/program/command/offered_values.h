// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/arguments/argument.h"
#include "engine/spec/run/program_spec.h"

namespace trainyard::program {

// Every argument with its default, as far as a run file can say it, and with what a run gives by itself
// (suggestionsFor): for a run file to begin with.
spec::ArgumentValues offeredValues(const ScriptArguments& known);

} // namespace trainyard::program
