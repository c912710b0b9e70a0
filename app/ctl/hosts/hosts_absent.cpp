// SPDX-License-Identifier: GPL-3.0-or-later
// Instead of hosts_command.cpp and of app/ctl/home in a build without TRAINYARD_REMOTE.
#include "app/ctl/help/completion.h"
#include "app/ctl/home.h"
#include "app/ctl/launchers.h"
#include "app/ctl/run_file.h"
#include "app/ctl/session.h"

#include <CLI/CLI.hpp>

namespace trainyard::ctl {
namespace {

Error cannot(const std::string& where) {
    return environmentError("this build of Trainyard cannot use other computers", where,
                            "install a build with TRAINYARD_REMOTE");
}

// Refuses every host, so that a run file that names one fails with a clear reason.
class NoRemote final : public run::Launcher {
public:
    Result<std::unique_ptr<run::WorkerProcess>> launch(const run::LaunchRequest& request) override {
        return cannot(request.host);
    }
    Result<std::string> stage(const HostName& host, const std::filesystem::path&) override { return cannot(host); }
    Result<std::string> ask(const HostName& host, const std::vector<std::string>&) override { return cannot(host); }
    Result<void> fetchTree(const HostName& host, const std::string&, const std::filesystem::path&) override {
        return cannot(host);
    }
    Result<void> fetch(const HostName& host, const std::string&, const std::filesystem::path&) override {
        return cannot(host);
    }
    Result<void> remove(const HostName& host, const std::vector<std::string>&) override { return cannot(host); }
    Result<HostInfo> prepare(const HostName& host, const RunId&) override { return cannot(host); }
    Result<std::vector<std::string>> list(const HostName& host, const std::string&) override { return cannot(host); }
    Result<int> signalAll(const HostName& host, const RunId&, int) override { return cannot(host); }
};

} // namespace

LauncherKind sshLauncher() {
    return {.serves = [](const std::string&) { return true; },
            .make = [](std::filesystem::path) -> Result<std::unique_ptr<run::Launcher>> {
                return std::unique_ptr<run::Launcher>(std::make_unique<NoRemote>());
            },
            .signIn = [](const std::vector<std::string>&) -> Result<void> { return cannot("hosts"); },
            .end = [](const std::string& host, std::int64_t) -> Result<void> { return cannot(host); }};
}

std::vector<Candidate> knownHosts() { return {}; }

namespace {

void addAbsent(CLI::App& app, Session& session, const char* name, const char* help) {
    auto* command = app.add_subcommand(name, help);
    command->allow_extras();
    command->callback([&session, name] { session.action = [name] { return fail(cannot(name)); }; });
}

} // namespace

std::optional<int> answerForSsh(const char*) { return {}; }

void addHostsCommand(CLI::App& app, Session& session) {
    addAbsent(app, session, "hosts", "the hosts that runs can use over SSH (not in this build)");
}

void addClusterCommand(CLI::App& app, Session& session) {
    addAbsent(app, session, "cluster", "set up hosts as a cluster, and work with all of them (not in this build)");
}

Result<std::vector<std::string>> overridesOfCluster(const std::string& cluster) {
    return cannot("--cluster " + cluster);
}

int startAtHome(const Session& session, const HomeStart&) { return fail(cannot("--on " + session.on)); }

int linkService(const std::string&) { return fail(cannot("service")); }

Result<void> signInToServiceHost(const Session&, const std::string& host) { return cannot("--on " + host); }

Result<serve::ServedModel> servedModelThere(const Session&, const HostName& host, const std::string&) {
    return cannot("--on " + host.text());
}

CLI::Option* addHomeOption(CLI::App& command, Session& session) {
    return command.add_option("--on", session.on, "start it on this host (not in this build)")->type_name("HOST");
}

void addHomeCommands(CLI::App&, Session&) {}

std::optional<int> actAtHome(const CLI::App&, const Session&, const std::vector<std::string>&) { return {}; }

} // namespace trainyard::ctl
