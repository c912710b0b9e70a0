// SPDX-License-Identifier: GPL-3.0-or-later
// `sweep importance SWEEP`: which parameters decide whether a trial is among the best.
// `sweep pareto SWEEP [--with SERIES]`: the trials that no other one beats in both series of the sweep, or in its score
// and another series. Trials that differ by their seeds alone are compared by their means.
#include "app/ctl/session.h"
#include "engine/base/json_text.h"
#include "engine/base/nearest_word.h"
#include "engine/sweep/results/sweep_analysis.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/values/pareto.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

namespace trainyard::ctl {
namespace {

// The runs of a trial, or of a configuration of several seeds with the means of its scores.
struct ParetoRow {
    std::vector<store::RunRow> runs; // the best by the sweep's score comes first
    double score = 0, other = 0;
};
struct FoundFront {
    sweep::Scores scores;        // the second one is what it is compared with
    std::vector<ParetoRow> rows; // that have both
    sweep::ParetoFront front;
};

Error unmeasuredSeries(const std::string& series, const std::set<std::string>& measured) {
    const std::vector<std::string> names(measured.begin(), measured.end());
    std::string remedy;
    if (const auto near = nearestWord(series, names); !near.empty()) remedy = "did you mean \"" + near + "\"?";
    for (const auto& name : names)
        if (!remedy.starts_with("did")) remedy += (remedy.empty() ? "measured are: " : ", ") + name;
    return inputError("was measured by no trial that has a score, found \"" + series + "\"", "--with", remedy);
}

Result<FoundFront> frontOf(store::RunQuery& query, const store::SweepRow& row, const std::string& series) {
    TY_ASSIGN(const auto spec, sweep::specOf(row));
    FoundFront found{.scores = sweep::scoresOf(spec), .rows = {}, .front = {}};
    auto& [first, second] = found.scores;
    if (series.empty() && !second)
        return inputError("is missing: the sweep compares its trials by one series, " + first.series, "--with",
                          "name another one, for example time/step");
    if (!series.empty()) second = run::Score{series, spec::betterOf(series), first.at};
    TY_ASSIGN(auto runs, query.trials(row.id));
    const auto plan = sweep::seedPlanOf(spec);
    std::set<std::string> measured;
    std::vector<sweep::Standing> standings;
    for (const auto& run : runs) {
        TY_ASSIGN(const auto summaries, query.summaries(run.id));
        for (const auto& summary : summaries) measured.insert(summary.series);
        const auto score = sweep::scoreTrialByAll(summaries, found.scores);
        standings.push_back(plan.standing(run.trial, run.status, score));
    }
    std::vector<sweep::LossPair> losses;
    for (const auto& result : sweep::pairedResults(standings, found.scores)) {
        losses.push_back(result.losses);
        found.rows.push_back({{},
                              sweep::lossOf(result.losses.first, first.better),
                              sweep::lossOf(result.losses.second, second->better)});
        for (const std::size_t index : result.trials) found.rows.back().runs.push_back(runs[index]);
    }
    if (losses.empty()) return unmeasuredSeries(second->series, measured);
    found.front = sweep::paretoOf(losses);
    return found;
}

Json frontJson(const store::SweepRow& row, const FoundFront& found) {
    const auto& [first, second] = found.scores;
    Json front = Json::array();
    for (const std::size_t index : found.front.indices) {
        const auto& [runs, score, other] = found.rows[index];
        front.push_back({{"trial", runs.front().trial},
                         {"run", runs.front().id},
                         {"seeds", runs.size()},
                         {"params", parseJson(runs.front().paramsJson)},
                         {"values", {score, other}}});
    }
    return {{"sweep", row.id},
            {"series", {first.series, second->series}},
            {"trials", found.rows.size()},
            {"front", std::move(front)},
            {"reference",
             {sweep::lossOf(found.front.reference.first, first.better),
              sweep::lossOf(found.front.reference.second, second->better)}},
            {"hypervolume", found.front.hypervolume}};
}

std::string sixDigits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

int paretoCommand(const Session& session, const std::string& name, const std::string& series) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = open->query->sweep(name);
    if (!row) return fail(row.error());
    const auto found = frontOf(*open->query, *row, series);
    if (!found) return fail(found.error());
    if (session.json) return printJson(frontJson(*row, *found));
    const bool together =
        std::any_of(found->rows.begin(), found->rows.end(), [](const ParetoRow& each) { return each.runs.size() > 1; });
    std::printf("%s, %zu of %zu %s are on the front; hypervolume %s\n", shownName(row->name).c_str(),
                found->front.indices.size(), found->rows.size(), together ? "configurations" : "trials",
                sixDigits(found->front.hypervolume).c_str());
    std::vector<std::vector<std::string>> table{
        {"trial", found->scores.first.series, found->scores.second->series, "parameters", "run"}};
    for (const std::size_t index : found->front.indices) {
        const auto& [runs, score, other] = found->rows[index];
        std::string trials;
        for (const auto& run : runs) trials += (trials.empty() ? "" : ", ") + std::to_string(run.trial);
        table.push_back({trials, sixDigits(score), sixDigits(other), runs.front().paramsJson, runs.front().id});
    }
    printTable(table);
    return 0;
}

Result<sweep::SweepImportance> importanceIn(store::RunQuery& query, const store::SweepRow& row) {
    TY_ASSIGN(const auto spec, sweep::specOf(row));
    TY_ASSIGN(const auto ranking, sweep::rankTrials(query, row.id, spec));
    return sweep::importanceOfSweep(spec, ranking);
}

int importanceCommand(const Session& session, const std::string& name) {
    const auto open = OpenWorkspace::open(session);
    if (!open) return fail(open.error());
    const auto row = open->query->sweep(name);
    if (!row) return fail(row.error());
    const auto found = importanceIn(*open->query, *row);
    if (!found) return fail(found.error());
    if (session.json) {
        Json importance = Json::object();
        Json intervals = Json::object();
        for (const auto& axis : found->axes) {
            importance[axis.path] = axis.share;
            intervals[axis.path] = {axis.low, axis.high};
        }
        return printJson({{"sweep", row->id},
                          {"method", "ped-anova"},
                          {"trials", found->results},
                          {"importance", importance},
                          {"intervals", intervals},
                          {"tooFew", !sweep::tellsImportance(found->axes)}});
    }
    std::printf("%s, %zu results, the best tenth against all (PED-ANOVA):\n", shownName(row->name).c_str(),
                found->results);
    std::vector<std::vector<std::string>> table{{"parameter", "importance", "80% of bootstrap samples"}};
    for (const auto& axis : found->axes) {
        char text[16], span[40];
        std::snprintf(text, sizeof text, "%5.1f%%", 100 * axis.share);
        std::snprintf(span, sizeof span, "%.1f%% to %.1f%%", 100 * axis.low, 100 * axis.high);
        table.push_back({axis.path, text, span});
    }
    printTable(table);
    if (!sweep::tellsImportance(found->axes)) std::printf("Too few results to tell which parameter decides.\n");
    return 0;
}

} // namespace

void addParetoCommand(CLI::App& sweep, Session& session) {
    const auto name = std::make_shared<std::string>(), series = std::make_shared<std::string>();
    auto* command = sweep.add_subcommand("pareto", "list the trials that no other beats in two series");
    command->add_option("SWEEP", *name, "id, beginning of an id, or name")->required();
    command->add_option("--with", *series,
                        "the other series, for example time/step (default: the second one of scoreBy)");
    addCommonOptions(*command, session);
    command->callback([&session, name, series] {
        session.action = [&session, name, series] { return paretoCommand(session, *name, *series); };
    });
}

void addImportanceCommand(CLI::App& sweep, Session& session) {
    const auto name = std::make_shared<std::string>();
    auto* command = sweep.add_subcommand("importance", "show how much each parameter matters");
    command->add_option("SWEEP", *name, "id, beginning of an id, or name")->required();
    addCommonOptions(*command, session);
    command->callback(
        [&session, name] { session.action = [&session, name] { return importanceCommand(session, *name); }; });
}

} // namespace trainyard::ctl
