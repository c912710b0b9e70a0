// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/command/interpreter.h"

#include <string>
#include <vector>

namespace trainyard::run {

// Rule: the environment of a fork server, of all the variables that its ranks will have.
// Those that the interpreter reads when it starts and libraries while they are imported: they have to be the same for a
// rank that is forked. None that looks like a secret. OpenBLAS gets one thread, as threads do not survive a fork; a
// rank sets what it is to have.
program::Variables serverVariables(const program::Variables& ofRank);

// Rule: which variables a script must not change before its first import, since libraries have read them already.
// "OMP_*": all that begin so; "-TORCH_HOME": but not this one. For these modules, as a script that sets what only
// another one reads is none the worse.
std::vector<std::string> earlyVariables(const std::vector<std::string>& modules);

} // namespace trainyard::run
