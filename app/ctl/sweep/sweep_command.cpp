// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/home.h"
#include "app/ctl/interrupt.h"
#include "app/ctl/launchers.h"
#include "app/ctl/program/program_words.h"
#include "app/ctl/run_file.h"
#include "app/ctl/runs/follow.h"
#include "app/ctl/runs/result_json.h"
#include "engine/base/clock.h"
#include "engine/base/json_text.h"
#include "engine/base/text/quoted.h"
#include "engine/spec/sweep/overrides.h"
#include "engine/spec/sweep/sweep_spec.h"
#include "engine/sweep/control/slurm_sweep.h"
#include "engine/sweep/control/sweep_control.h"
#include "engine/sweep/control/sweep_follower.h"
#include "engine/sweep/judge/foresee.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/search/searchers.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <set>

namespace trainyard::ctl {
namespace {

constexpr double kRankSeconds = 0.2; // between two looks at all trials

// Four digits are enough to tell trials apart; `--json` has all of them.
std::string valueText(const Json& value) {
    if (!value.is_number_float()) return jsonText(value);
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value.get<double>());
    return text;
}

// {"optimizer.lr":0.1} as "optimizer.lr = 0.1".
std::string paramsText(const std::string& json) {
    const auto params = parseJson(json);
    std::string text;
    if (params.is_object())
        for (const auto& [path, value] : params.items())
            text += (text.empty() ? "" : ", ") + path + " = " + valueText(value);
    return text;
}

std::string scoreText(const sweep::TrialResult& trial) {
    char text[48];
    if (!trial.standing.score) return "no score";
    std::snprintf(text, sizeof text, "%.4f at step %lld", *trial.standing.score,
                  static_cast<long long>(trial.standing.step));
    return text;
}

// Of the second series, where trials are compared by two.
std::string secondText(const sweep::TrialResult& trial) {
    char text[32];
    if (!trial.standing.second) return "none";
    std::snprintf(text, sizeof text, "%.4g", *trial.standing.second);
    return text;
}

void saySearch(const spec::SweepSpec& spec) {
    if (const auto foreseen = sweep::foresee(spec, 1))
        std::fprintf(stderr, "%s\n", sweep::describe(foreseen->slots).text().c_str());
    if (spec.searcher.name != "auto") return;
    const auto chosen = sweep::chooseSearcher(spec);
    std::fprintf(stderr, "searcher: %s (%s)\n", chosen.name.c_str(), chosen.reason.text().c_str());
}

void sayNotice(std::FILE* to, const spec::SweepSpec& spec) {
    for (const auto& each : sweep::contraryModes(spec))
        std::fprintf(to, "note: %s\n", forTerminal(sweep::contraryModeText(each)).c_str());
}

std::string stateText(const sweep::TrialResult& trial) {
    if (!trial.reason.empty()) return trial.reason;
    const std::string status = wire::toString(trial.row.status);
    if (trial.row.status == wire::RunStatus::Failed) return status + ": " + trial.row.error.text();
    return wire::isActive(trial.row.status) ? status : status + ", " + scoreText(trial);
}

void sayTrials(const sweep::Ranking& ranking, std::set<std::string>& said) {
    for (const auto& trial : ranking.trials) {
        const std::string key = trial.row.id + wire::toString(trial.row.status) + trial.reason;
        if ((wire::isActive(trial.row.status) && trial.row.status != wire::RunStatus::Running) ||
            !said.insert(key).second)
            continue;
        std::fprintf(stderr, "trial %d (%s): %s\n", trial.row.trial, paramsText(trial.row.paramsJson).c_str(),
                     stateText(trial).c_str());
    }
}

// For the table: the reason or the status, and whose state it has.
std::string standingText(const sweep::TrialResult& trial) {
    const std::string text = trial.reason.empty() ? wire::toString(trial.row.status) : trial.reason;
    return trial.lineage.empty() ? text : text + "; " + trial.lineage;
}

bool isOfProgram(const store::SweepRow& row) {
    const auto spec = sweep::specOf(row);
    const auto run = spec ? spec::parseRunSpec(spec->runJson) : Result<spec::RunSpec>(spec.error());
    return run && run->program.has_value();
}

void printTrials(const sweep::Ranking& ranking, const store::SweepRow& row) {
    const auto& second = ranking.scores.second;
    std::vector<std::vector<std::string>> table{{"trial", "parameters", "status", "score", "run"}};
    if (second) table[0] = {"trial", "parameters", "status", ranking.scores.first.series, second->series, "run"};
    for (const std::size_t index : ranking.order) {
        const auto& trial = ranking.trials[index];
        table.push_back({std::to_string(trial.row.trial), paramsText(trial.row.paramsJson), standingText(trial),
                         scoreText(trial), trial.row.id});
        if (second) table.back().insert(table.back().end() - 1, secondText(trial));
    }
    std::printf("%s is %s, %zu of %d trials%s%s:\n", shownName(row.name).c_str(), wire::toString(row.status),
                ranking.trials.size(), row.trials, ranking.reason.empty() ? "" : "; ", ranking.reason.c_str());
    printTable(table);
    for (const auto& [reason, trials] : sweep::failuresOf(ranking))
        std::printf("failed: %s: %s\n", trials.c_str(), forTerminal(reason).c_str());
    if (const auto spec = sweep::specOf(row)) sayNotice(stdout, *spec);
    if (ranking.best.empty()) return;
    const auto& best = ranking.trials[ranking.order.front()];
    if (const auto& all = ranking.configurations; !all.empty()) {
        const std::string lead = second ? std::string() : sweep::leadText(all);
        std::printf("best configuration: %s%s%s\n", sweep::statsText(all.front(), ranking.scores).c_str(),
                    lead.empty() ? "" : "; ", lead.c_str());
    }
    if (second)
        std::printf("front: %s, which no other one beats in both %s and %s\n", sweep::frontText(ranking).c_str(),
                    ranking.scores.first.series.c_str(), second->series.c_str());
    std::printf(
        "best: trial %d, %s, %s%s\n", best.row.trial, paramsText(best.row.paramsJson).c_str(), scoreText(best).c_str(),
        second ? (", " + second->series + " " + secondText(best) + ", most of the front's hypervolume").c_str() : "");
    if (isOfProgram(row)) return; // what a program saves is its own
    std::printf("  export the model    trainyardctl export %s --format safetensors --out %s.safetensors\n",
                best.row.id.c_str(), best.row.id.c_str());
}

Result<store::SweepRow> watchSweep(const Session& session, const store::Workspace& workspace, store::RunQuery& query,
                                   const std::string& sweep, OnInterrupt onInterrupt) {
    countInterrupts();
    std::set<std::string> said;
    std::optional<spec::SweepSpec> spec;
    sweep::SweepFollower follower(workspace, sweep);
    int seen = 0;
    double rankedAt = -kRankSeconds;
    for (;; (void)follower.pause()) {
        TY_ASSIGN(auto row, follower.poll(query));
        if (!spec) {
            TY_ASSIGN(spec, sweep::specOf(row));
            if (!session.json) saySearch(*spec);
            if (!session.json) sayNotice(stderr, *spec);
        }
        const bool isOver = !wire::isActive(row.status);
        if (const double now = monotonicSeconds(); !session.json && (isOver || now >= rankedAt + kRankSeconds)) {
            TY_ASSIGN(const auto ranking, sweep::rankTrials(query, row.id, *spec));
            sayTrials(ranking, said);
            rankedAt = now;
        }
        if (isOver) return row;
        if (interrupts() != seen) {
            seen = interrupts();
            if (onInterrupt == OnInterrupt::Leave) return row;
            std::fputs(seen == 1 ? "stopping: the running trials save a checkpoint first (Ctrl+C again: now)\n"
                                 : "stopping now\n",
                       stderr);
            (void)sweep::stopSweep(workspace, sweep, seen == 1 ? wire::StopMode::SaveAndStop : wire::StopMode::StopNow);
        }
    }
}

// The sweep of this text, with its hosts signed in to.
Result<spec::SweepSpec> readyToStart(const std::string& text, const std::string& file) {
    TY_ASSIGN(auto spec, spec::parseSweepSpec(text, file));
    TY_ASSIGN(const auto run, spec::parseRunSpec(spec.runJson, file));
    TY_TRY(signInToHostsOf(run));
    return spec;
}

} // namespace

Result<store::SweepRow> sweepNow(const OpenWorkspace& open, const std::string& name) {
    TY_ASSIGN(auto row, open.query->sweep(name));
    if (!wire::isActive(row.status) || !run::isSlurmJob(open.workspace.root, row.id)) return row;
    auto job = run::findSlurmJob(open.workspace.root, row.id);
    if (job) (void)sweep::collectSweep(open.workspace, *job); // else as it was last known
    return open.query->sweep(row.id);
}

int showSweep(const Session& session, store::RunQuery& query, const store::SweepRow& row) {
    if (session.json) {
        const auto json = sweepJson(query, row);
        return json ? printJson(*json) : fail(json.error());
    }
    const auto ranking = sweep::rankTrials(query, row);
    if (!ranking) return fail(ranking.error());
    printTrials(*ranking, row);
    return 0;
}

int awaitSweep(const Session& session, const store::Workspace& workspace, const std::string& sweep) {
    const auto query = store::RunQuery::open(workspace);
    if (!query) return fail(query.error());
    const auto row = sweep::SweepFollower(workspace, sweep).wait(**query);
    return row ? showSweep(session, **query, *row) : fail(row.error());
}

int followSweep(const Session& session, const store::Workspace& workspace, const std::string& sweep,
                OnInterrupt onInterrupt) {
    auto query = store::RunQuery::open(workspace);
    if (!query) return fail(query.error());
    const auto row = watchSweep(session, workspace, **query, sweep, onInterrupt);
    if (!row) return fail(row.error());
    if (wire::isActive(row->status)) { // left alone
        std::fprintf(stderr, "the sweep continues; trainyardctl stop %s ends it\n", row->id.c_str());
        return 0;
    }
    const auto ranking = sweep::rankTrials(**query, *row);
    if (!ranking) return fail(ranking.error());
    if (const int code = showSweep(session, **query, *row); code != 0) return code;
    if (row->status == wire::RunStatus::Interrupted)
        return fail(runError("the sweep's supervisor died", "sweep " + row->name, "trainyardctl resume " + row->id));
    if (row->status == wire::RunStatus::Finished && ranking->best.empty())
        return fail(runError("no trial has a finite score", "sweep " + row->name,
                             "look at the trials' errors: trainyardctl sweep trials " + shellArgument(row->name)));
    return exitCodeOf(row->status, ErrorKind::Run);
}

int afterSweepStart(const Session& session, const store::Workspace& workspace, const std::string& sweep, bool detach) {
    if (!detach) return followSweep(session, workspace, sweep);
    if (!session.json) return std::printf("%s\n", sweep.c_str()) > 0 ? 0 : 3;
    const auto query = store::RunQuery::open(workspace);
    const auto row = query ? (*query)->sweep(sweep) : Result<store::SweepRow>(query.error());
    return row ? showSweep(session, **query, *row) : fail(row.error());
}

namespace {

int runSweepText(const Session& session, const std::string& text, const std::string& file, bool detach) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    const auto spec = readyToStart(text, file);
    if (!spec) return fail(spec.error());
    const auto sweep = sweep::startSweep(*workspace, *spec);
    return sweep ? afterSweepStart(session, *workspace, *sweep, detach) : failIn(file, sweep.error());
}

int queueSweepText(const Session& session, const std::string& text, const std::string& file) {
    const auto workspace = session.workspace();
    if (!workspace) return fail(workspace.error());
    const auto spec = readyToStart(text, file);
    if (!spec) return fail(spec.error());
    const auto added = queue::enqueue(*workspace, *spec);
    return added ? tellQueued(session, *workspace, added) : failIn(file, added.error());
}

} // namespace

int startSweepText(const Session& session, const std::string& text, const std::string& file, SweepWays ways) {
    if (!session.on.empty()) return startAtHome(session, {text, file, ways.detach, {}, {}});
    return ways.queue ? queueSweepText(session, text, file) : runSweepText(session, text, file, ways.detach);
}

void addSweepCommand(CLI::App& app, Session& session) {
    struct Options {
        std::string file;
        std::vector<std::string> overrides;
        bool detach = false, dryRun = false, queue = false;
        ProgramSweep program{}; // its words: instead of a file
    };
    const auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("sweep", "run a sweep file, or vary a program's arguments, and name the best "
                                                "trial");
    command->add_option("FILE", options->file,
                        "sweep file (JSON), or a script with its own words, of which some have several values: "
                        "train.py --lr '0.001..0.1 log' --width 64,128");
    command->add_option("--trials", options->program.trials, "of a script: how many configurations")
        ->type_name("NUMBER")
        ->check(CLI::Range(1, spec::kMaxTrials));
    command->add_option("--score", options->program.score, "of a script: the series that ranks the trials")
        ->type_name("SERIES");
    command
        ->add_option("--mode", options->program.mode,
                     "of a script: which values of it are better (default: by its "
                     "name)")
        ->check(CLI::IsMember({"min", "max"}));
    command
        ->add_option("--scheduler", options->program.scheduler,
                     "of a script: which trials end early: fifo (none), asha, median, halving, …")
        ->type_name("NAME");
    addProgramOptions(*command, options->program.line);
    command->add_option("--set", options->overrides, "path=value: replaces one field; may be repeated")
        ->type_name("PATH=VALUE")
        ->take_all();
    command->add_flag("--detach", options->detach, "print the sweep's id and return at once");
    command->add_flag("--dry-run", options->dryRun, "print what would be trained, and start nothing")
        ->excludes("--detach");
    command->add_flag("--queue", options->queue, "add it to the queue: it starts when there is room (see: queue)")
        ->excludes("--dry-run");
    addCommonOptions(*command, session);
    addHomeOption(*command, session)->excludes("--queue")->excludes("--dry-run");
    addShowCommands(*command, session);
    addImportanceCommand(*command, session);
    addParetoCommand(*command, session);
    addSteerCommands(*command, session);
    addSimulateCommand(*command, session);
    command->callback([&session, options, command] {
        if (!command->get_subcommands().empty()) return; // it has said what to do
        options->program.line.words = session.programWords;
        if (!session.programWords.empty()) options->file = session.programWords.front();
        else if (options->file.empty()) throw CLI::RequiredError("FILE");
        session.action = [&session, options] {
            const auto text = options->program.line.words.empty()
                                  ? spec::readWithOverrides(options->file, options->overrides)
                                  : sweepFileOf(options->program, options->overrides);
            if (!text) return fail(text.error());
            if (!spec::isSweepFile(*text))
                return fail(inputError("is not a sweep file: it has no \"space\"", options->file,
                                       "start it with: trainyardctl run"));
            if (options->dryRun) return dryRunSweep(session, *text, options->file);
            return startSweepText(session, *text, options->file, {options->detach, options->queue});
        };
    });
}

} // namespace trainyard::ctl
