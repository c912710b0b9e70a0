// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a program as a sweep file.
#include "app/ctl/program/program_words.h"
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/program/command/argument_words.h"
#include "engine/program/command/axis_words.h"
#include "engine/run/start/program_run.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace trainyard::ctl {
namespace {

// A typed value as JSON: a number, true, false, else text.
Json typedJson(const std::string& text, const program::Argument* argument) {
    const bool isText = argument && argument->type == "str";
    if (!isText) {
        double number = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        if (!text.empty() && read.ec == std::errc{} && read.ptr == text.data() + text.size()) {
            const Json parsed = parseJson(text);
            return parsed.is_number() ? parsed : Json(number);
        }
        if (text == "true" || text == "True") return true;
        if (text == "false" || text == "False") return false;
    }
    return text;
}

Json axisJson(const program::AxisWords& axis, const program::Argument* argument) {
    if (!axis.values.empty()) {
        Json list = Json::array();
        for (const auto& each : axis.values) list.push_back(typedJson(each, argument));
        return list;
    }
    const auto number = [](double value) {
        constexpr double kExact = 1e15;
        const bool whole = value == static_cast<double>(static_cast<std::int64_t>(value)) && std::abs(value) < kExact;
        return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
    };
    Json json{{"from", number(axis.from)}, {"to", number(axis.to)}};
    if (axis.logScale) json["scale"] = "log";
    if (axis.step > 0) json["step"] = number(axis.step);
    if (axis.count > 0) json["count"] = axis.count;
    if (axis.whole || (argument && argument->type == "int")) json["whole"] = true;
    return json;
}

// The words of a sweep: the fields that vary, and the words that all trials have.
struct SweepWords {
    Json space = Json::object();
    std::vector<std::string> fixed{};
};

// "--lr", "--lr=0.1", "lr=0.1" as name and value; the value may be the next word.
std::string nameIn(const std::string& word) {
    const auto equals = word.find('=');
    const bool option = word.starts_with('-') && word.size() > 1 && !(word[1] >= '0' && word[1] <= '9');
    return option || equals != word.npos ? word.substr(0, equals) : std::string();
}

std::string axisPath(const std::string& name, const program::Argument* argument) {
    std::string bare = argument ? argument->name : name.substr(std::min(name.find_first_not_of('-'), name.size()));
    return "program.arguments." + bare;
}

Result<SweepWords> divided(const std::vector<std::string>& words, const program::ScriptArguments* known) {
    SweepWords made;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string& word = words[at];
        const std::string name = nameIn(word);
        const auto equals = word.find('=');
        const bool attached = equals != word.npos;
        if (name.empty() || (!attached && at + 1 == words.size())) {
            made.fixed.push_back(word);
            continue;
        }
        const auto* argument = known ? program::findArgument(*known, name) : nullptr;
        const std::string value = attached ? word.substr(equals + 1) : words[at + 1];
        const bool isSwitch = argument && argument->type == "bool" && !attached;
        if (isSwitch) {
            made.fixed.push_back(word);
            continue;
        }
        TY_ASSIGN(const auto axis, program::axisWords(value, name));
        if (!axis || (argument && !argument->nargs.empty() && !axis->values.empty())) {
            made.fixed.push_back(word);
            continue;
        }
        if (!attached) ++at;
        made.space[axisPath(name, argument)] = axisJson(*axis, argument);
    }
    return made;
}

// "--a b", "--a=b" and "--flag" of a script whose arguments are not known.
std::optional<spec::ArgumentValues> guessed(const std::vector<std::string>& words) {
    spec::ArgumentValues values;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string name = nameIn(words[at]);
        const auto equals = words[at].find('=');
        if (name.empty()) return std::nullopt;
        const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
        if (equals != words[at].npos) values[bare] = words[at].substr(equals + 1);
        else if (at + 1 < words.size() && nameIn(words[at + 1]).empty()) values[bare] = words[++at];
        else values[bare] = true;
    }
    return values;
}

} // namespace

Result<std::string> sweepFileOf(const ProgramSweep& sweep, const std::vector<std::string>& overrides) {
    std::error_code ignored;
    const auto here = std::filesystem::current_path(ignored);
    // First as a whole, so that a launcher's words are taken apart; what varies is among the program's own.
    TY_ASSIGN(auto made, run::runOfCommand(sweep.line.words, here));
    auto& program = *made.spec.program;
    if (!program.command.empty())
        return inputError("the arguments of a command have no names to vary them by", printable(program.command[0], 80),
                          "write a sweep file with program.environment.NAME in its space, and {trial} where it helps");
    std::vector<std::string> own = sweep.line.words;
    const std::string& first = program.script.empty() ? program.module : program.script;
    const auto begin = std::find_if(own.begin(), own.end(), [&](const std::string& word) {
        return word == first || (here / word).lexically_normal().string() == first;
    });
    if (begin != own.end()) own.erase(own.begin(), begin + 1);
    TY_ASSIGN(auto words, divided(own, made.known ? &*made.known : nullptr));
    if (words.space.empty())
        return inputError("nothing varies", {},
                          "give an argument several values: --lr 0.01,0.1 or --lr '0.001..0.1 log'");
    std::optional<spec::ArgumentValues> values;
    if (made.known) values = program::argumentsOf(words.fixed, *made.known);
    if (!values) values = guessed(words.fixed);
    if (!values)
        return inputError("some of these words have no name, and arguments that vary are given by their names",
                          printable(words.fixed.front(), 80), "write the others as --name value, or a sweep file");
    program.words.clear();
    program.arguments = std::move(*values);
    TY_ASSIGN(const std::string run, spec::withOverrides(spec::toJson(made.spec), sweep.line.settings()));
    Json file{{"version", spec::kRunFileVersion}};
    Json base = parseJson(run);
    if (base.contains("name")) file["name"] = base["name"];
    base.erase("name");
    const bool ofRun = base.contains("checkpoint") && base["checkpoint"].value("scoreBy", std::string()) != "";
    const bool isSet = std::any_of(overrides.begin(), overrides.end(),
                                   [](const std::string& each) { return each.starts_with("scoreBy="); });
    if (sweep.score.empty() && !ofRun && !isSet)
        return inputError("it is not said which series compares the trials", "--score",
                          "name one that the program reports or prints: --score val/loss");
    if (!sweep.score.empty()) file["scoreBy"] = sweep.score;
    if (!sweep.mode.empty()) file["mode"] = sweep.mode;
    if (!sweep.scheduler.empty()) file["scheduler"] = sweep.scheduler;
    if (sweep.trials > 0) file["trials"] = sweep.trials;
    file["space"] = std::move(words.space);
    file["run"] = std::move(base);
    return spec::withSweepOverrides(jsonFile(file), overrides);
}

} // namespace trainyard::ctl
