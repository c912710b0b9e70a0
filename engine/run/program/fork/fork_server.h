// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"
#include "engine/program/command/interpreter.h"
#include "engine/run/program/fork/fork_messages.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::run {

// Which server a rank may come from: one of the same interpreter, modules, variables that are read at an import, and
// of all that a child inherits silently (pool_fingerprint.h).
struct ForkServerKind {
    std::filesystem::path interpreter;
    program::Variables variables; // serverVariables()
    std::vector<std::string> modules;
};

// A line to such a server in the private `folder`; a request over it is answered once the server has imported. Starts
// one if there is none, and ends the one that was used longest ago if there are two already; their ranks go on.
// Environment: a socket is impossible.
Result<UniqueFd> reachForkServer(const ForkServerKind& kind, const std::filesystem::path& folder);

// Sends the request over the line, with the file that the rank prints to, and returns this process's end of the line
// whose end the kernel turns into the rank's. Environment: the server is gone, or the request is too large for it.
Result<UniqueFd> sendForkRequest(int line, const ForkRequest& request, int printed);

} // namespace trainyard::run
