// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/run_command.h"

#include "engine/base/text/quoted.h"

namespace trainyard::ui {

std::string runCommand(const RunForm::State& state, const std::string& file, const std::string& workspace) {
    const std::string name = state.sweep ? "sweep" : "run";
    std::string command = "printf '%s' ";
    command += shellWord(file) + " > " + name + ".json && trainyardctl ";
    command += (state.slurm ? "slurm submit" : name) + ' ' + name + ".json";
    if (!state.home.isEmpty()) command += " --on " + shellWord(state.home.toStdString());
    if (state.slurm)
        for (const auto& option : run::submitOptions(*state.slurm)) command += ' ' + shellWord(option);
    return command + " --workspace " + shellWord(workspace) + "\n";
}

} // namespace trainyard::ui
