// SPDX-License-Identifier: GPL-3.0-or-later
// Commands on hosts that end with what has started them.
#pragma once

#include "remote/ssh/ssh_session.h"

namespace trainyard::remote {

// How a command is followed. The functions are called on the thread of the caller.
struct CommandWatch {
    std::function<void(std::string_view bytes, bool isError)> take; // its output, as it comes
    std::function<bool()>
        stop; // asked ten times a second; true: its whole process group gets SIGTERM, 5 s later SIGKILL
};

// Runs a program on the host to its end, however long it is silent; it reads nothing. It is ended in the same way when
// the connection is lost or this process dies. Environment: the connection was lost.
Result<run::ExitStatus> runWatched(SshSession& session, const std::vector<std::string>& arguments,
                                   const std::map<std::string, std::string>& environment, const CommandWatch& watch);

// The words that have the account's shell read a command line.
std::vector<std::string> byShell(const std::string& commandLine);

// Of a command that ended so, as shells tell it: 128 and the number of the signal that killed it.
int shellCode(const run::ExitStatus& status);

} // namespace trainyard::remote
