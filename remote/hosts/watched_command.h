// SPDX-License-Identifier: GPL-3.0-or-later
// Commands on hosts that end with their starter.
#pragma once

#include "remote/ssh/ssh_session.h"

namespace trainyard::remote {

// How to follow a command. The functions run on the caller's thread.
struct CommandWatch {
    std::function<void(std::string_view bytes, bool isError)> take; // its output, as it comes
    std::function<bool()>
        stop; // asked ten times a second; true: its whole process group gets SIGTERM, 5 s later SIGKILL
};

// Runs a program on the host to its end, however long it is silent, without input. It ends as well if the connection
// is lost or this process dies. Environment: the connection was lost.
Result<run::ExitStatus> runWatched(SshSession& session, const std::vector<std::string>& arguments,
                                   const std::map<std::string, std::string>& environment, const CommandWatch& watch);

// The arguments that make the account's shell run a command line.
std::vector<std::string> byShell(const std::string& commandLine);

// The exit code as shells report it: 128 plus the number of the fatal signal.
int shellCode(const run::ExitStatus& status);

} // namespace trainyard::remote
