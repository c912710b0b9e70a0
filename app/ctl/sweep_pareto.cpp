// SPDX-License-Identifier: GPL-3.0-or-later
// `sweep pareto SWEEP [--with SERIES]`: the trials that no other one beats in both series of the sweep, or in its score
// and another series.
#include "app/ctl/session.h"
#include "engine/base/ids.h"
#include "engine/sweep/pareto.h"
#include "engine/sweep/sweep_analysis.h"
#include "engine/sweep/sweep_result.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <set>

namespace trainyard::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct ParetoRow {
    store::RunRow run;
    double score = 0, other = 0;
};
struct FoundFront {
    run::Score score, other;
    std::vector<ParetoRow> trials; // that have both
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
    FoundFront found;
    const auto scores = sweep::scoresOf(spec);
    found.score = scores.first;
    if (series.empty() && !scores.second)
        return inputError("is missing: the sweep compares its trials by one series, " + found.score.series, "--with",
                          "name another one, for example time/step");
    found.other = series.empty() ? *scores.second : run::Score{series, spec::betterOf(series), found.score.at};
    TY_ASSIGN(auto rows, query.trials(row.id));
    std::set<std::string> measured;
    std::vector<sweep::LossPair> losses;
    for (auto& run : rows) {
        TY_ASSIGN(const auto summaries, query.summaries(run.id));
        for (const auto& summary : summaries) measured.insert(summary.series);
        const auto score = sweep::scoreTrial(summaries, found.score), other = sweep::scoreTrial(summaries, found.other);
        if (!score.value || !other.value || run.status == wire::RunStatus::Failed) continue;
        losses.push_back(
            {sweep::lossOf(*score.value, found.score.better), sweep::lossOf(*other.value, found.other.better)});
        found.trials.push_back({std::move(run), *score.value, *other.value});
    }
    if (losses.empty()) return unmeasuredSeries(found.other.series, measured);
    found.front = sweep::paretoOf(losses);
    return found;
}

Json frontJson(const store::SweepRow& row, const FoundFront& found) {
    Json front = Json::array();
    for (const std::size_t index : found.front.indices) {
        const auto& [run, score, other] = found.trials[index];
        front.push_back({{"trial", run.trial},
                         {"run", run.id},
                         {"params", Json::parse(run.paramsJson, nullptr, false)},
                         {"values", {score, other}}});
    }
    return {{"sweep", row.id},
            {"series", {found.score.series, found.other.series}},
            {"trials", found.trials.size()},
            {"front", std::move(front)},
            {"reference",
             {sweep::lossOf(found.front.reference.first, found.score.better),
              sweep::lossOf(found.front.reference.second, found.other.better)}},
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
    std::printf("%s, %zu of %zu trials are on the front; hypervolume %s\n", shownName(row->name).c_str(),
                found->front.indices.size(), found->trials.size(), sixDigits(found->front.hypervolume).c_str());
    std::vector<std::vector<std::string>> table{
        {"trial", found->score.series, found->other.series, "parameters", "run"}};
    for (const std::size_t index : found->front.indices) {
        const auto& [run, score, other] = found->trials[index];
        table.push_back({std::to_string(run.trial), sixDigits(score), sixDigits(other), run.paramsJson, run.id});
    }
    printTable(table);
    return 0;
}

} // namespace

void addParetoCommand(CLI::App& sweep, Session& session) {
    const auto name = std::make_shared<std::string>(), series = std::make_shared<std::string>();
    auto* command = sweep.add_subcommand("pareto", "name the trials that no other beats in two series");
    command->add_option("SWEEP", *name, "id, beginning of an id, or name")->required();
    command->add_option("--with", *series, "the other series, for example time/step; else the second one of scoreBy");
    addCommonOptions(*command, session);
    command->callback([&session, name, series] {
        session.action = [&session, name, series] { return paretoCommand(session, *name, *series); };
    });
}

} // namespace trainyard::ctl
