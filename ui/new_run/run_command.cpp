// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/new_run/run_command.h"

#include "engine/base/text/quoted.h"
#include "engine/program/command/interpreter.h"
#include "engine/spec/values/flat_settings.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace trainyard::ui {

namespace {

// What the command line of a program says by other words than --set.
bool isSaidOtherwise(const std::string& path) {
    static const std::set<std::string> known{"version",         "name",           "scaling.workers",
                                             "hosts",           "program.script", "program.module",
                                             "program.command", "program.folder", "program.arguments"};
    return known.contains(path) || path.starts_with("program.arguments.");
}

// The lists of a program as --set takes them.
std::string listAt(const spec::Program& program, const std::string& path) {
    const auto text = [](const std::vector<std::string>& list) { return spec::argumentText(list); };
    if (path == "program.resume") return text(program.resume);
    if (path == "program.secrets") return text(program.secrets);
    if (path == "program.metrics.patterns") return text(program.metrics.patterns);
    return path == "program.checkpoints.patterns" ? text(program.checkpoints.patterns) : std::string();
}

std::string joinedHosts(const std::vector<std::string>& hosts) {
    std::string all;
    for (const auto& host : hosts) all += (all.empty() ? "" : ",") + host;
    return all;
}

// Where it runs: a command of the terminal runs where it is started.
std::string programFolder(const spec::Program& program) {
    if (!program.folder.empty() || program.script.empty()) return program.folder;
    const auto script = std::filesystem::path(program.script);
    return program::projectFolder(script.parent_path(), program::processVariables()).string();
}

} // namespace

std::string runCommand(const SettingsForm::State& state, const std::string& file, const std::string& workspace) {
    const std::string name = state.sweep ? "sweep" : "run";
    std::string command = "printf '%s' ";
    command += shellWord(file) + " > " + name + ".json && trainyardctl ";
    command += (state.slurm ? "slurm submit" : name) + ' ' + name + ".json";
    if (!state.home.isEmpty()) command += " --on " + shellWord(state.home.toStdString());
    if (state.slurm)
        for (const auto& option : run::submitOptions(*state.slurm)) command += ' ' + shellWord(option);
    return command + " --workspace " + shellWord(workspace) + "\n";
}

std::string programCommand(const SettingsForm::State& state, const std::vector<std::string>& words,
                           const std::string& workspace) {
    const spec::RunSpec& run = state.spec;
    const spec::Program& program = *run.program;
    const std::string folder = programFolder(program);
    std::string command = folder.empty() ? "" : "cd " + shellArgument(folder) + " && ";
    command += "trainyardctl run";
    const auto add = [&command](const std::string& option, const std::string& value) {
        command += ' ' + option + ' ' + shellArgument(value);
    };
    add("--workspace", workspace);
    if (!run.name.empty()) add("--name", run.name);
    if (!state.home.isEmpty()) add("--on", state.home.toStdString());
    if (run.scaling.workers != 1) add("--workers", std::to_string(run.scaling.workers));
    if (!run.hosts.empty()) add("--hosts", joinedHosts(run.hosts));
    const auto usual = spec::flatSettings(spec::toJson(spec::programRun({})));
    for (const auto& setting : spec::flatSettings(spec::toJson(run))) {
        if (isSaidOtherwise(setting.first) || std::ranges::find(usual, setting) != usual.end()) continue;
        const std::string list = listAt(program, setting.first);
        add("--set", setting.first + '=' + (list.empty() ? setting.second : list));
    }
    std::vector<std::string> all = program.command;
    if (!all.empty()) all.insert(all.begin(), "--");
    else if (!program.module.empty()) all = {"-m", program.module};
    else all = {program.script};
    all.insert(all.end(), words.begin(), words.end());
    for (const auto& word : all) command += ' ' + shellArgument(word);
    return command + "\n";
}

} // namespace trainyard::ui
