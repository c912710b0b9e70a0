// SPDX-License-Identifier: GPL-3.0-or-later
// supervise, supervise-sweep, -slot, -queue, -service, link-service: what the other commands start in the background.
#include "app/ctl/home.h"
#include "app/ctl/launchers.h"
#include "app/ctl/session.h"
#include "engine/queue/queue_supervisor.h"
#include "engine/run/launch/programs.h"
#include "engine/run/supervise/slot.h"
#include "engine/serve/server/service_server.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_supervisor.h"
#include "engine/sweep/control/takeover.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <cstdio>
#include <memory>

namespace trainyard::ctl {

// A call to a host that does not answer may still be under way, and must not find what it uses destroyed.
[[noreturn]] void endProcess(int code) {
    std::fflush(nullptr);
    ::_exit(code);
}

int superviseRun(const std::string& folder) {
    const auto launchers = Launchers::make(run::rankProgram(run::RunFolder{folder}));
    endProcess(run::supervise(folder, launchers->launcherFor()));
}

// Of the sweep in this folder. A program's ranks are started anew for each trial.
int superviseSlot(const std::string& folder) {
    const auto sweep = sweep::readSweepLaunch(folder);
    if (!sweep) return fail(sweep.error());
    const auto launchers = Launchers::make(
        sweep->program ? std::filesystem::path(sweep->program->path) : run::workerProgram(), !sweep->program);
    endProcess(run::superviseSlot(launchers->launcherFor(), [&folder] {
        const auto started = sweep::takeOver(folder);
        if (!started) std::fprintf(stderr, "trainyardctl: %s\n", started.error().text().c_str());
    }));
}

void addSuperviseCommands(CLI::App& app, Session& session) {
    const auto folder = std::make_shared<std::string>();
    auto* supervise = app.add_subcommand("supervise", "own a run from launch to end (started by the other commands)");
    auto* sweep = app.add_subcommand("supervise-sweep", "own a sweep (started by the other commands)");
    auto* slot = app.add_subcommand("supervise-slot", "own trials of a sweep (started by its supervisor)");
    auto* queue = app.add_subcommand("supervise-queue", "start the runs of a queue (started by the other commands)");
    auto* service = app.add_subcommand("supervise-service", "serve models (started by the other commands)");
    auto* link = app.add_subcommand("link-service", "stand for a service on a host (started by the other commands)");
    for (auto* command : {supervise, sweep, slot, queue, service, link}) {
        command->add_option("FOLDER", *folder, "its folder")->required();
        command->group(""); // not in the help
    }
    supervise->callback([&session, folder] { session.action = [folder] { return superviseRun(*folder); }; });
    sweep->callback([&session, folder] { session.action = [folder] { return sweep::superviseSweep(*folder); }; });
    queue->callback([&session, folder] { session.action = [folder] { return queue::superviseQueue(*folder); }; });
    service->callback([&session, folder] { session.action = [folder] { return serve::superviseService(*folder); }; });
    link->callback([&session, folder] { session.action = [folder]() -> int { endProcess(linkService(*folder)); }; });
    slot->callback([&session, folder] { session.action = [folder] { return superviseSlot(*folder); }; });
}

} // namespace trainyard::ctl
