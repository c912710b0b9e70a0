// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and sweeps that live on another host, in the workspace there (engine/run/mirror/HOMES.md). In a build without
// TRAINYARD_REMOTE, app/ctl/hosts/hosts_absent.cpp replaces all of it.
#pragma once

#include "app/ctl/session.h"
#include "engine/serve/values/service_spec.h"

#include <optional>

namespace trainyard::ctl {

// What `run --on` and `sweep --on` send to the host.
struct HomeStart {
    std::string text, file; // of the run or sweep file; `file` is for messages
    bool detach = false;
    std::string resumeFrom, forkedFrom; // checkpoint file of this computer and the id of its run; empty: from scratch
};
// Starts it on the host session.on and notes it in the workspace here, then follows it or prints its id. Returns the
// exit code.
int startAtHome(const Session& session, const HomeStart& start);

// What `link-service FOLDER` does: stands here for a service that lives on a host. Returns the exit code.
int linkService(const std::string& folder);
// Before such a link begins, which cannot ask: signs in to the host, and copies the programs.
Result<void> signInToServiceHost(const Session& session, const std::string& host);
// What RUN[@CHECKPOINT] or a path means on the host, to be served there. Input: neither is there.
Result<serve::ServedModel> servedModelThere(const Session& session, const HostName& host, const std::string& given);

// --on HOST, for a command that starts something there by itself.
CLI::Option* addHomeOption(CLI::App& command, Session& session);
// fetch, and --on of the commands that need nothing of this computer but their words. After all other commands.
void addHomeCommands(CLI::App& app, Session& session);
// After the command line `words` has been parsed: carries a command out on the host that it names, or whose run it
// names, and returns the exit code. Nothing: it is for this computer.
std::optional<int> actAtHome(const CLI::App& app, const Session& session, const std::vector<std::string>& words);

} // namespace trainyard::ctl
