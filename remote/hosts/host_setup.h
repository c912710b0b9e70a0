// SPDX-License-Identifier: GPL-3.0-or-later
// The setup commands of a cluster on one host: run once for each content, and logged there.
#pragma once

#include "remote/files/transfer.h"
#include "remote/hosts/watched_command.h"

namespace trainyard::remote {

// What is to be done on a host once.
struct SetupPlan {
    std::string cluster; // its name: letters, digits, '.', '_', '-'
    std::vector<std::string> commands;
    std::map<std::string, std::string> environment;
    std::string digest() const; // of commands and variables; empty when there are no commands
};

// What a host has noted of its setup.
enum class SetupState {
    None,   // there are no commands
    Done,   // with this content
    Due,    // not yet, or with another content
    Failed, // with this content
};
const char* toString(SetupState state); // "none", "done", "due", "failed": the word in JSON

// The folder on the host that holds what belongs to a cluster: CACHE/clusters/NAME.
std::string clusterFolder(const HostBasics& basics, const std::string& cluster);

// What the host has noted of an earlier setup.
Result<SetupState> readSetup(SshSession& session, const HostBasics& basics, const SetupPlan& plan);

// How a setup went.
struct SetupEnd {
    std::size_t failed = 0; // number of the command that failed, from 1; 0: none
    run::ExitStatus status; // its end
    std::string log;        // path on the host of the log of all commands
    std::string tail;       // last lines of the log, when a command failed
};

// Runs the commands one after another, in the home folder, until one fails; notes on the host what came of it.
// `onStep` gets the number of each command before it begins. When `stop` says so the running one is ended, and a
// Stopped error returned.
Result<SetupEnd> runSetup(SshSession& session, const HostBasics& basics, const SetupPlan& plan,
                          const std::function<void(std::size_t)>& onStep, const std::function<bool()>& stop);

} // namespace trainyard::remote
