// SPDX-License-Identifier: GPL-3.0-or-later
// Workers on hosts over SSH, behind the same interface as local ones.
#pragma once

#include "engine/run/launch/launcher.h"
#include "remote/book/host_book.h"
#include "remote/book/sign_in.h"

namespace trainyard::remote {

struct SshLauncherOptions {
    HostBook book;                       // names are resolved with HostBook::resolve
    std::filesystem::path workerProgram; // local; copied to a host that does not have it yet
    // The same: starts ranks from a warm pool on the host (relay.h). Empty: they are started as programs.
    std::filesystem::path relayProgram{};
    ConnectOptions connect;
    // Additional variables for ranks on a host, by alias (cluster_book.h).
    std::map<std::string, std::map<std::string, std::string>> environments{};
    // Progress worth a line in the log: "h2: copying trainyard-worker (12 MB)".
    std::function<void(const std::string&)> say;
};

// A launcher for hosts over SSH. Keeps one connection to each host and one for fetched files (more if a connection has
// too few channels) while it lives. The next call replaces a lost connection, and first ends workers that the old one
// left behind, with some seconds to save. Calls may come from several threads, and block. Input: a rank without a
// host.
std::unique_ptr<run::Launcher> makeSshLauncher(SshLauncherOptions options);

// Connects and signs in to all hosts at once, so that passwords and host keys are asked for while a user is there; a
// detached supervisor cannot ask (signInForSupervisor() in connect.h). Questions may come from several threads.
// Returns the first failure, with the host's name.
Result<void> signInToHosts(const HostBook& book, const std::vector<std::string>& names, const ConnectOptions& options);

} // namespace trainyard::remote
