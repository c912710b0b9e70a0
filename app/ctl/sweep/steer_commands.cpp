// SPDX-License-Identifier: GPL-3.0-or-later
// Below `sweep`: what a person asks of a sweep while it runs, or after.
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/sweep/control/steer_sweep.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

using Verb = sweep::Steering::Verb;

struct SteerOptions {
    std::string sweep;
    sweep::Steering asked;
    std::vector<std::string> settings; // of set and enqueue
    std::string restriction;
};

Result<int> wholeNumber(const std::string& key, const std::string& text) {
    int number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size())
        return inputError("must be a whole number, found \"" + text + "\"", key, "for example: " + key + "=4");
    return number;
}

Result<std::pair<std::string, std::string>> settingOf(const std::string& given, const char* example) {
    const auto equals = given.find('=');
    if (equals == std::string::npos || equals == 0)
        return inputError("\"" + given + "\" has no name=value", "set", std::string("for example: ") + example);
    return std::pair{given.substr(0, equals), given.substr(equals + 1)};
}

Result<void> readSettings(SteerOptions& options) {
    for (const auto& given : options.settings) {
        TY_ASSIGN(const auto setting, settingOf(given, "parallel=4"));
        const auto& [key, value] = setting;
        if (key != "parallel" && key != "trials")
            return inputError("cannot be set while a sweep runs, found \"" + value + "\"", key,
                              "set parallel or trials");
        TY_ASSIGN((key == "parallel" ? options.asked.parallel : options.asked.trials), wholeNumber(key, value));
    }
    return {};
}

Result<void> readPoint(SteerOptions& options) {
    for (const auto& given : options.settings) {
        TY_ASSIGN(auto setting, spec::parseSetting(given));
        options.asked.params[setting.first] = std::move(setting.second);
    }
    return {};
}

Result<void> complete(SteerOptions& options) {
    if (options.asked.verb == Verb::Set) return readSettings(options);
    if (options.asked.verb == Verb::Enqueue) return readPoint(options);
    if (options.asked.verb != Verb::Restrict) return {};
    TY_ASSIGN(options.asked.restriction, spec::parseRestriction(options.restriction));
    return {};
}

int sayDone(const Session& session, const store::SweepRow& row, const sweep::Steering& asked,
            const sweep::Steered& done) {
    if (session.json)
        return printJson({{"sweep", row.id},
                          {"request", sweep::toString(asked.verb)},
                          {"trial", done.trial < 0 ? Json(nullptr) : Json(done.trial)},
                          {"started", done.started}});
    std::string text = sweep::describe(asked).text();
    if (asked.verb == Verb::Enqueue && done.trial >= 0) text += " as trial " + std::to_string(done.trial);
    std::printf("%s: %s%s\n", shownName(row.name).c_str(), forTerminal(text).c_str(),
                done.started ? "; its supervisor was started for that" : "");
    return 0;
}

int steer(const Session& session, SteerOptions& options) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = open->query->sweep(options.sweep);
    if (!row) return fail(row.error());
    if (const auto read = complete(options); !read) return fail(read.error());
    const auto done = sweep::steerSweep(open->workspace, row->id, options.asked);
    return done ? sayDone(session, *row, options.asked, *done) : fail(done.error());
}

CLI::App* addVerb(CLI::App& parent, Session& session, Verb verb, const char* help,
                  const std::shared_ptr<SteerOptions>& options) {
    options->asked.verb = verb;
    auto* command = parent.add_subcommand(sweep::toString(verb), help);
    command->add_option("SWEEP", options->sweep, "id, beginning of an id, or name")->required();
    addCommonOptions(*command, session);
    command->callback(
        [&session, options] { session.action = [&session, options] { return steer(session, *options); }; });
    return command;
}

} // namespace

void addSteerCommands(CLI::App& parent, Session& session) {
    const auto fresh = [] { return std::make_shared<SteerOptions>(); };
    for (const auto& [verb, help] :
         {std::pair{Verb::Pause, "start no new trials; running ones continue"},
          std::pair{Verb::Resume, "start trials again; restarts a sweep that is not running"},
          std::pair{Verb::Finish, "start no new trials, and end the sweep when the running ones have ended"}})
        addVerb(parent, session, verb, help, fresh());
    for (const auto& [verb, help] :
         {std::pair{Verb::Stop, "save a trial and end it"},
          std::pair{Verb::Kill, "end a trial without saving; it is never started again"},
          std::pair{Verb::Promote, "train a paused or stopped trial to its end; restarts a sweep that is not running"},
          std::pair{Verb::Retry, "try a failed trial again; restarts a sweep that is not running"}}) {
        const auto options = fresh();
        addVerb(parent, session, verb, help, options)
            ->add_option("TRIAL", options->asked.trial, "number of the trial")
            ->required();
    }
    auto options = fresh();
    addVerb(parent, session, Verb::Add, "try more configurations; restarts a sweep that is not running", options)
        ->add_option("NUMBER", options->asked.count, "how many")
        ->required();
    options = fresh();
    addVerb(parent, session, Verb::Enqueue,
            "add a configuration and start it next; restarts a sweep that is not running", options)
        ->add_option("--set", options->settings, "path=value: for each field that the sweep varies; repeated")
        ->type_name("PATH=VALUE")
        ->required()
        ->take_all();
    options = fresh();
    addVerb(parent, session, Verb::Restrict, "limit the search to a part of an axis", options)
        ->add_option("RANGE", options->restriction,
                     "optimizer.lr=0.001..0.1, or batch.perRank=[16,32]; replaces an earlier one of the same path")
        ->required();
    options = fresh();
    addVerb(parent, session, Verb::Set, "change the number of slots or of configurations", options)
        ->add_option("SETTING", options->settings, "parallel=N, 0 for as many as the cores allow; trials=N")
        ->required();
}

} // namespace trainyard::ctl
