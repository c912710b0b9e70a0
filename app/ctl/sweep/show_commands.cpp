// SPDX-License-Identifier: GPL-3.0-or-later
// Below `sweep`: show, trials, events.
#include "app/ctl/runs/follow.h"
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/control/sweep_journal.h"
#include "engine/sweep/judge/slot_count.h"
#include "engine/sweep/results/sweep_result.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <memory>

namespace trainyard::ctl {
namespace {

using EventKind = sweep::Event::Kind;

Json numberOrNull(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
Json wordOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// How many trials there are of each kind.
struct Tally {
    int planned = 0, begun = 0, running = 0, paused = 0, finished = 0, stopped = 0, failed = 0;
};

Tally tallyOf(const sweep::Judge& judge, const sweep::Ranking& ranking) {
    Tally tally{.planned = judge.isOpenEnded() ? -1 : judge.planned()};
    for (const auto& trial : ranking.trials) {
        ++tally.begun;
        const auto number = static_cast<std::size_t>(trial.row.trial);
        const bool pauses = number < judge.trials().size() && judge.trials()[number].wanted == sweep::Wanted::Paused;
        if (wire::isActive(trial.row.status)) ++tally.running;
        else if (trial.row.status == wire::RunStatus::Finished) ++tally.finished;
        else if (trial.row.status == wire::RunStatus::Failed) ++tally.failed;
        else if (pauses) ++tally.paused;
        else ++tally.stopped;
    }
    return tally;
}

// Axes that people have restricted.
std::vector<std::string> restrictionsOf(const spec::SweepSpec& spec, const sweep::Judge& judge) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < spec.space.size(); ++i) {
        const spec::Axis& left = judge.space()[i];
        if (left == spec.space[i]) continue;
        texts.push_back(spec::toText(
            spec::Restriction{.path = left.path, .values = left.values, .from = left.from, .to = left.to}));
    }
    return texts;
}

// With what a person has set.
Result<sweep::SlotCount> slotsOf(const spec::SweepSpec& spec, const sweep::Judge& judge) {
    TY_ASSIGN(const auto configurations, spec::foreseenConfigurations(spec, 1));
    TY_ASSIGN(const auto trial, spec::trialSpec(spec, configurations.front(), 0));
    auto set = spec;
    set.parallel = judge.parallel().value_or(spec.parallel);
    return sweep::slotCount(set, trial.scaling.workers, {.trials = judge.isOpenEnded() ? 0 : judge.planned()});
}

struct Overview {
    store::SweepRow row;
    spec::SweepSpec spec;
    sweep::Ranking ranking;
    Tally tally;
    std::vector<std::string> restrictions;
    sweep::SlotCount slots{};
};

Result<Overview> overviewOf(const OpenWorkspace& open, const std::string& name) {
    Overview overview;
    TY_ASSIGN(overview.row, sweepNow(open, name));
    TY_ASSIGN(overview.spec, sweep::specOf(overview.row));
    TY_ASSIGN(overview.ranking, sweep::rankTrials(*open.query, overview.row.id, overview.spec));
    TY_ASSIGN(const auto journal, sweep::SweepJournal::open(*open.query, overview.row.id, overview.spec));
    overview.tally = tallyOf(journal.judge(), overview.ranking);
    overview.restrictions = restrictionsOf(overview.spec, journal.judge());
    TY_ASSIGN(overview.slots, slotsOf(overview.spec, journal.judge()));
    return overview;
}

Json overviewJson(const Overview& overview) {
    const auto& [row, spec, ranking, tally, restrictions, slots] = overview;
    const int parallel = slots.why == sweep::SlotCount::Why::Asked ? slots.slots : 0;
    Json best = nullptr;
    if (!ranking.best.empty()) {
        const auto& trial = ranking.trials[ranking.order.front()];
        best = {{"trial", trial.row.trial},
                {"run", trial.row.id},
                {"score", numberOrNull(trial.standing.score.value_or(std::nan("")))},
                {"second", numberOrNull(trial.standing.second.value_or(std::nan("")))},
                {"params", parseJson(trial.row.paramsJson)}};
    }
    return {{"sweep", row.id},
            {"name", row.name},
            {"status", wire::toString(row.status)},
            {"reason", wordOrNull(ranking.reason)},
            {"searcher", spec.searcher.name},
            {"scheduler", spec.scheduler.name},
            {"parallel", parallel},
            {"slots", sweep::describe(slots).text()},
            {"restrictions", restrictions},
            {"trials",
             {{"planned", tally.planned < 0 ? Json(nullptr) : Json(tally.planned)},
              {"begun", tally.begun},
              {"running", tally.running},
              {"paused", tally.paused},
              {"finished", tally.finished},
              {"stopped", tally.stopped},
              {"failed", tally.failed}}},
            {"front", ranking.scores.second ? Json(ranking.front) : Json(nullptr)},
            {"best", std::move(best)}};
}

void printOverview(const Overview& overview) {
    const auto& [row, spec, ranking, tally, restrictions, slots] = overview;
    std::printf("%s is %s%s%s\n", shownName(row.name).c_str(), wire::toString(row.status),
                ranking.reason.empty() ? "" : "; ", ranking.reason.c_str());
    std::vector<std::vector<std::string>> table{{"searcher", spec.searcher.name}, {"scheduler", spec.scheduler.name}};
    table.push_back({"slots", sweep::describe(slots).text()});
    const std::string planned = tally.planned < 0 ? "as the budget allows" : std::to_string(tally.planned);
    table.push_back({"trials", planned + ": " + std::to_string(tally.begun) + " begun, " +
                                   std::to_string(tally.running) + " running, " + std::to_string(tally.paused) +
                                   " paused, " + std::to_string(tally.finished) + " finished, " +
                                   std::to_string(tally.stopped) + " stopped, " + std::to_string(tally.failed) +
                                   " failed"});
    for (const auto& [reason, trials] : sweep::failuresOf(ranking))
        table.push_back({"failed", trials + ": " + forTerminal(reason)});
    for (const auto& each : sweep::contraryModes(spec)) table.push_back({"note", sweep::contraryModeText(each)});
    for (const auto& each : restrictions) table.push_back({"restricted", each});
    if (!ranking.best.empty()) {
        const auto& best = ranking.trials[ranking.order.front()];
        std::string score = spec.scoreBy + " " + spec::toText(*best.standing.score);
        if (const auto& second = ranking.scores.second; second && best.standing.second) {
            score += ", " + second->series + " " + spec::toText(*best.standing.second);
            table.push_back({"front", sweep::frontText(ranking) + "; sweep pareto names them"});
        }
        table.push_back(
            {"best", "trial " + std::to_string(best.row.trial) + ", " + score + ", " + best.row.paramsJson});
    }
    printTable(table);
}

int showCommand(const Session& session, const std::string& name) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto overview = overviewOf(*open, name);
    if (!overview) return fail(overview.error());
    if (session.json) return printJson(overviewJson(*overview));
    printOverview(*overview);
    return 0;
}

int trialsCommand(const Session& session, const std::string& name) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = sweepNow(*open, name);
    return row ? showSweep(session, *open->query, *row) : fail(row.error());
}

// What an event says besides its trial and time; a request in words.
std::string detailOf(const store::TrialEventRow& event) {
    if (event.kind == "steered") {
        auto asked = sweep::steeringFromBody(event.params);
        if (!asked) return event.params;
        asked->trial = event.trial;
        return sweep::describe(*asked).text();
    }
    if (event.kind == "started" || event.kind == "tick" || event.kind == "failed") return event.params;
    return {};
}

Json eventJson(const store::TrialEventRow& event) {
    auto params = parseJson(event.params);
    return {{"number", event.number},
            {"time_ms", event.wallMs},
            {"kind", event.kind},
            {"trial", event.trial < 0 ? Json(nullptr) : Json(event.trial)},
            {"t", numberOrNull(event.t)},
            {"loss", numberOrNull(event.loss)},
            {"details", params.is_object() ? std::move(params) : Json::object()},
            {"author", wordOrNull(event.author)}};
}

int eventsCommand(const Session& session, const std::string& name, bool steeredOnly) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = open->query->sweep(name);
    if (!row) return fail(row.error());
    auto events = open->query->trialEvents(row->id);
    if (!events) return fail(events.error());
    if (steeredOnly)
        std::erase_if(*events, [](const auto& event) { return sweep::kindOf(event) != EventKind::Steered; });
    if (session.json) {
        Json list = Json::array();
        for (const auto& event : *events) list.push_back(eventJson(event));
        return printJson({{"sweep", row->id}, {"events", std::move(list)}});
    }
    std::vector<std::vector<std::string>> table{{"time", "event", "trial", "at", "details", "by"}};
    for (const auto& event : *events) {
        const auto kind = sweep::kindOf(event);
        const bool measured = kind == EventKind::Report || kind == EventKind::Ended;
        table.push_back({shortTime(event.wallMs), event.kind, event.trial < 0 ? "" : std::to_string(event.trial),
                         measured ? spec::toText(event.t) : "", detailOf(event), event.author});
    }
    printTable(table);
    return 0;
}

} // namespace

void addShowCommands(CLI::App& parent, Session& session) {
    struct Options {
        std::string sweep;
        bool steered = false;
    };
    const auto add = [&](const char* name, const char* help, auto act) {
        const auto options = std::make_shared<Options>();
        auto* command = parent.add_subcommand(name, help);
        command->add_option("SWEEP", options->sweep, "id, beginning of an id, or name")->required();
        if (std::string_view(name) == "events")
            command->add_flag("--steered", options->steered, "only requests of people");
        addCommonOptions(*command, session);
        command->callback(
            [&session, options, act] { session.action = [&session, options, act] { return act(session, *options); }; });
    };
    add("show", "show the state of a sweep",
        [](const Session& given, const Options& options) { return showCommand(given, options.sweep); });
    add("trials", "list the trials of a sweep, the best first",
        [](const Session& given, const Options& options) { return trialsCommand(given, options.sweep); });
    add("events", "list the events of a sweep, with the author of each request",
        [](const Session& given, const Options& options) {
            return eventsCommand(given, options.sweep, options.steered);
        });
}

} // namespace trainyard::ctl
