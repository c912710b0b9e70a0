// SPDX-License-Identifier: GPL-3.0-or-later
// arguments: what a script takes on its command line.
#include "app/ctl/session.h"
#include "engine/base/text/printable.h"
#include "engine/program/arguments/script_arguments.h"
#include "engine/program/checkpoints/resume_words.h"
#include "engine/program/command/offered_values.h"
#include "engine/program/probe/script_probe.h"
#include "engine/spec/run/run_spec.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace trainyard::ctl {
namespace {

using program::Argument;

struct ValueJson {
    Json operator()(program::Value::None) const { return nullptr; }
    Json operator()(const program::Value::Code&) const { return nullptr; } // `computed` says it
    Json operator()(bool value) const { return value; }
    Json operator()(std::int64_t value) const { return value; }
    Json operator()(double value) const {
        return std::isfinite(value) ? Json(value) : Json(program::pythonText({value})); // JSON has no infinity
    }
    Json operator()(const std::string& value) const { return value; }
    Json operator()(const program::Value::List& list) const {
        Json json = Json::array();
        for (const auto& each : list) json.push_back(std::visit(*this, each.is));
        return json;
    }
    Json operator()(const program::Value::Dict& dict) const {
        Json json = Json::object();
        for (std::size_t at = 0; at < dict.keys.size(); ++at)
            json[plainText(dict.keys[at])] = std::visit(*this, dict.values[at].is);
        return json;
    }
};

Json argumentJson(const Argument& argument) {
    return {{"name", argument.name},
            {"flags", argument.flags},
            {"type", argument.type},
            {"action", toString(argument.action)},
            {"default", argument.byDefault ? std::visit(ValueJson{}, argument.byDefault->is) : Json(nullptr)},
            {"choices", ValueJson{}(argument.choices)},
            {"nargs", argument.nargs.empty() ? Json(nullptr) : Json(argument.nargs)},
            {"required", argument.required},
            {"help", argument.help},
            {"group", argument.group},
            {"subcommand", argument.subcommand},
            {"file", argument.place.file},
            {"line", argument.place.line},
            {"certain", argument.certain()},
            {"computed", argument.computed}};
}

Json scriptJson(const std::string& script, const program::ScriptArguments& found) {
    Json arguments = Json::array(), unread = Json::array();
    for (const auto& each : found.arguments) arguments.push_back(argumentJson(each));
    for (const auto& each : found.unread)
        unread.push_back({{"file", each.place.file}, {"line", each.place.line}, {"what", each.what}});
    return {{"script", script},
            {"style", toString(found.style)},
            {"arguments", arguments},
            {"not_read", unread},
            {"config_file", found.configFile.empty() ? Json(nullptr) : Json(found.configFile)},
            {"files", found.files},
            {"bytes", found.bytes}};
}

// On one line, cut where it is long.
std::string cell(const std::string& text, std::size_t most) {
    std::string line = text;
    std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return printable(line, most);
}

std::string flagsText(const Argument& argument) {
    std::string text = argument.positional() ? argument.name : "";
    for (const auto& flag : argument.flags) text += (text.empty() ? "" : ", ") + flag;
    return text;
}

std::string typeText(const Argument& argument) {
    std::string words;
    for (const auto& each : argument.choices) words += (words.empty() ? "" : "|") + plainText(each);
    constexpr std::size_t kMost = 32;
    return cell(words.empty() ? argument.type : words, kMost) + (argument.nargs.empty() ? "" : " " + argument.nargs);
}

std::string defaultText(const Argument& argument) {
    constexpr std::size_t kMost = 28;
    const bool none = !argument.byDefault || std::holds_alternative<program::Value::None>(argument.byDefault->is);
    const std::string text = none ? std::string() : cell(plainText(*argument.byDefault), kMost);
    return argument.certain() ? text : text + (text.empty() ? "?" : " ?");
}

std::string sectionOf(const Argument& argument) {
    const std::string group = argument.required ? "required" : argument.group.empty() ? "options" : argument.group;
    return argument.subcommand.empty() ? group : argument.subcommand + ": " + group;
}

// The sections in the order of the source, but for each subcommand what is required first.
std::vector<std::string> sectionsOf(const std::vector<Argument>& arguments) {
    std::vector<std::string> sections, subcommands;
    const auto addTo = [](std::vector<std::string>& list, const std::string& each) {
        if (std::find(list.begin(), list.end(), each) == list.end()) list.push_back(each);
    };
    for (const auto& each : arguments) addTo(subcommands, each.subcommand);
    for (const auto& subcommand : subcommands)
        for (const bool required : {true, false})
            for (const auto& each : arguments)
                if (each.subcommand == subcommand && each.required == required) addTo(sections, sectionOf(each));
    return sections;
}

void printArguments(const program::ScriptArguments& found) {
    constexpr std::size_t kMostHelp = 72;
    std::vector<std::vector<std::string>> table;
    for (const auto& section : sectionsOf(found.arguments)) {
        if (!table.empty()) table.push_back({""});
        table.push_back({section, "type", "default", "help"});
        for (const auto& each : found.arguments)
            if (sectionOf(each) == section)
                table.push_back(
                    {"  " + flagsText(each), typeText(each), defaultText(each), cell(each.help, kMostHelp)});
    }
    printTable(table);
}

void printScript(const std::string& script, const program::ScriptArguments& found) {
    if (found.arguments.empty() && found.configFile.empty())
        std::printf("no arguments were found in %s\n", forTerminal(script).c_str());
    printArguments(found);
    if (!found.configFile.empty())
        std::printf("%ssettings are in %s\n", found.arguments.empty() ? "" : "\n",
                    forTerminal(found.configFile).c_str());
    const bool unsure = std::any_of(found.arguments.begin(), found.arguments.end(),
                                    [](const Argument& each) { return !each.certain(); });
    if (unsure) std::printf("\n? only Python knows: --json says what it is computed from\n");
    if (!found.unread.empty()) std::printf("\nnot read\n");
    for (const auto& each : found.unread)
        std::printf("  %s:%lld: %s\n", forTerminal(each.place.file).c_str(), static_cast<long long>(each.place.line),
                    forTerminal(each.what).c_str());
}

// Every argument with its default; what a run gives by itself as a placeholder.
int printRunFile(const std::string& script, const program::ScriptArguments& found) {
    std::error_code failed;
    const auto path = std::filesystem::absolute(script, failed).lexically_normal();
    auto spec = spec::programRun({.script = path.string()});
    spec.name = path.stem().string();
    spec.program->arguments = program::offeredValues(found);
    spec.program->resume = program::suggestionsFor(found).resume;
    return std::fputs(spec::toJson(spec).c_str(), stdout) >= 0 ? 0 : 3;
}

struct ArgumentsOptions {
    std::string script, probe; // probe: "stubs", "real"; empty: it is read alone
    std::string interpreter;
    bool runFile = false;
};

Result<program::ScriptArguments> argumentsOf(const ArgumentsOptions& options) {
    if (options.probe.empty()) return program::readArguments(options.script);
    program::ProbeOptions how{.interpreter = options.interpreter};
    if (options.probe == "real") how.imports = program::ProbeImports::Real;
    TY_ASSIGN(auto probed, program::probeArguments(options.script, how));
    if (probed.problem)
        std::fprintf(stderr, "trainyardctl: %s\nwhat follows was read from the source alone\n",
                     forTerminal(probed.problem->text()).c_str());
    return std::move(probed.arguments);
}

int argumentsCommand(const Session& session, const ArgumentsOptions& options) {
    const auto found = argumentsOf(options);
    if (!found) return fail(found.error());
    if (options.runFile) return printRunFile(options.script, *found);
    if (session.json) return printJson(scriptJson(options.script, *found));
    printScript(options.script, *found);
    return 0;
}

} // namespace

void addArgumentsCommand(CLI::App& app, Session& session) {
    const auto options = std::make_shared<ArgumentsOptions>();
    auto* command =
        app.add_subcommand("arguments", "show what a Python script takes on its command line, read from its source");
    command->add_option("FILE", options->script, "the script, train.py")->required();
    command->add_flag("--run-file", options->runFile, "print a run file with the script and its defaults");
    command
        ->add_option(
            "--probe", options->probe,
            "also run the script up to its arguments, in a sandbox: with packages replaced (stubs) or imported "
            "(real)")
        ->type_name("HOW")
        ->expected(0, 1)
        ->default_str("stubs")
        ->check(CLI::IsMember({"stubs", "real"}));
    command
        ->add_option("--interpreter", options->interpreter, "Python for --probe, as program.interpreter of a run file")
        ->type_name("PYTHON");
    addCommonOptions(*command, session);
    command->callback([&session, options, command] {
        if (command->count("--probe") > 0 && options->probe.empty()) options->probe = "stubs";
        session.action = [&session, options] { return argumentsCommand(session, *options); };
    });
}

} // namespace trainyard::ctl
