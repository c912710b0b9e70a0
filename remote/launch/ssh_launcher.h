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
    // Variables that ranks on a host get beside those that they are launched with, by alias (cluster_book.h).
    std::map<std::string, std::map<std::string, std::string>> environments{};
    // Progress worth a line in the log: "h2: copying trainyard-worker (12 MB)".
    std::function<void(const std::string&)> say;
};

// A launcher whose hosts are reached over SSH, one connection for each and one for what is fetched, kept until the
// launcher goes (more where one connection has too few channels). A lost connection is made anew by the next call, and
// workers left behind on the host by the old one are ended first, with some seconds to save. Calls may come from
// several threads; they block for what they do. Input: a rank without a host.
std::unique_ptr<run::Launcher> makeSshLauncher(SshLauncherOptions options);

// Connects to each host once and signs in, to all at once, so that passwords and host keys are asked for while a user
// is there to answer; a detached supervisor cannot ask (signInForSupervisor() in connect.h). Questions may come from
// several threads. The first failure is returned, with the host's name.
Result<void> signInToHosts(const HostBook& book, const std::vector<std::string>& names, const ConnectOptions& options);

} // namespace trainyard::remote
