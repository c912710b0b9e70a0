// SPDX-License-Identifier: GPL-3.0-or-later
// supervise, supervise-sweep: what the other commands start in the background.
#include "app/ctl/launchers.h"
#include "app/ctl/session.h"
#include "engine/run/launch/programs.h"
#include "engine/run/supervise/supervisor.h"
#include "engine/sweep/sweep_supervisor.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace trainyard::ctl {

int superviseRun(const std::string& folder) {
    const auto launchers = Launchers::make(run::rankProgram(run::RunFolder{folder}));
    return launchers ? run::supervise(folder, (*launchers)->launcherFor()) : fail(launchers.error());
}

void addSuperviseCommands(CLI::App& app, Session& session) {
    const auto folder = std::make_shared<std::string>();
    auto* supervise = app.add_subcommand("supervise", "own a run from launch to end (started by the other commands)");
    auto* sweep = app.add_subcommand("supervise-sweep", "own a sweep (started by the other commands)");
    for (auto* command : {supervise, sweep}) {
        command->add_option("FOLDER", *folder, "its folder")->required();
        command->group(""); // not in the help
    }
    supervise->callback([&session, folder] { session.action = [folder] { return superviseRun(*folder); }; });
    sweep->callback([&session, folder] { session.action = [folder] { return sweep::superviseSweep(*folder); }; });
}

} // namespace trainyard::ctl
