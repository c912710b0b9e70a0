// SPDX-License-Identifier: GPL-3.0-or-later
// The setup commands of a cluster on one host: run once for each content, and logged there.
#pragma once

#include "remote/files/transfer.h"
#include "remote/hosts/watched_command.h"

namespace trainyard::remote {

// Commands to run on a host once.
struct SetupPlan {
    std::string cluster; // its name: letters, digits, '.', '_', '-'
    std::vector<std::string> commands;
    std::map<std::string, std::string> environment;
    std::string digest() const; // of commands and variables; empty when there are no commands
};

// The setup state noted on a host.
enum class SetupState {
    None,   // there are no commands
    Done,   // with this content
    Due,    // not yet, or with another content
    Failed, // with this content
};
const char* toString(SetupState state); // "none", "done", "due", "failed": the word in JSON

// The folder on the host that holds what belongs to a cluster: CACHE/clusters/NAME.
std::string clusterFolder(const HostBasics& basics, const std::string& cluster);

// The noted state of an earlier setup.
Result<SetupState> readSetup(SshSession& session, const HostBasics& basics, const SetupPlan& plan);

// The outcome of a setup.
struct SetupEnd {
    std::size_t failed = 0; // number of the command that failed, from 1; 0: none
    run::ExitStatus status; // its end
    std::string log;        // path on the host of the log of all commands
    std::string tail;       // last lines of the log, when a command failed
};

// Runs the commands in the home folder, one after another, until one fails; notes the outcome on the host. Calls
// `onStep` with the number of each command before it starts. If `stop` says so, ends the running command and returns a
// Stopped error.
Result<SetupEnd> runSetup(SshSession& session, const HostBasics& basics, const SetupPlan& plan,
                          const std::function<void(std::size_t)>& onStep, const std::function<bool()>& stop);

} // namespace trainyard::remote
