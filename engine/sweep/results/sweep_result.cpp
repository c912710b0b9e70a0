// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/results/sweep_result.h"

#include "engine/spec/values/params.h"
#include "engine/sweep/judge/judge.h"
#include "engine/sweep/results/decision_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>

namespace trainyard::sweep {
namespace {

Result<void> addReasons(store::RunQuery& query, const std::string& sweep, const spec::SweepSpec& spec,
                        Ranking& ranking) {
    TY_ASSIGN(const auto decisions, query.trialDecisions(sweep));
    if (decisions.empty()) return {};
    TY_ASSIGN(const auto length, lengthOf(spec));
    std::map<int, const store::TrialDecisionRow*> byTrial;
    for (const auto& decision : decisions) byTrial[decision.trial] = &decision;
    for (auto& trial : ranking.trials)
        if (const auto found = byTrial.find(trial.row.trial);
            found != byTrial.end() && trial.row.status == wire::RunStatus::Stopped)
            trial.reason = reasonOf(*found->second, spec, length.epochs).full;
    if (const auto end = byTrial.find(kWholeSweep); end != byTrial.end())
        ranking.reason = endReasonOf(*end->second, spec);
    return {};
}

Result<void> addAdoptions(store::RunQuery& query, const std::string& sweep, const spec::SweepSpec& spec,
                          Ranking& ranking) {
    if (!adopts(spec.scheduler.name)) return {};
    TY_ASSIGN(const auto rows, query.adoptions(sweep));
    TY_ASSIGN(const auto length, lengthOf(spec));
    auto byTrial = adoptionsOf(rows);
    for (auto& trial : ranking.trials) {
        trial.adoptions = std::move(byTrial[trial.row.trial]);
        trial.lineage = adoptionsText(trial.adoptions, length.epochs);
    }
    return {};
}

} // namespace

Scores scoresOf(const spec::SweepSpec& spec) {
    Scores scores{{spec.scoreBy, spec::betterOf(spec.scoreBy, spec.mode), spec.rules.score}};
    if (const auto& second = spec.second)
        scores.second = run::Score{second->series, spec::betterOf(second->series, second->mode), spec.rules.score};
    return scores;
}

run::Score scoreOf(const spec::SweepSpec& spec) { return scoresOf(spec).first; }

std::vector<spec::Objective> contraryModes(const spec::SweepSpec& spec) {
    std::vector<spec::Objective> all{{spec.scoreBy, spec.mode}}, contrary;
    if (spec.second) all.push_back(*spec.second);
    std::copy_if(all.begin(), all.end(), std::back_inserter(contrary), [](const spec::Objective& each) {
        const auto named = spec::betterByName(each.series);
        return named && *named != spec::betterOf(each.series, each.mode);
    });
    return contrary;
}

std::string contraryModeText(const spec::Objective& contrary) {
    const bool larger = contrary.mode == "max";
    return "the best trial is the one with the " + std::string(larger ? "greatest " : "least ") + contrary.series +
           ", as mode \"" + contrary.mode + "\" says: leave mode out for the " + (larger ? "least" : "greatest");
}

std::vector<std::pair<std::string, std::string>> failuresOf(const Ranking& ranking) {
    constexpr std::size_t kMostNamed = 8;
    std::map<std::string, std::vector<int>> byReason;
    for (const TrialResult& trial : ranking.trials)
        if (trial.row.status == wire::RunStatus::Failed) byReason[trial.row.error.text()].push_back(trial.row.trial);
    std::vector<std::pair<std::string, std::string>> failures;
    for (const auto& [reason, trials] : byReason) {
        std::string text = trials.size() == 1           ? "trial "
                           : trials.size() > kMostNamed ? std::to_string(trials.size()) + " trials"
                                                        : "trials ";
        for (std::size_t at = 0; trials.size() <= kMostNamed && at < trials.size(); ++at)
            text += (at == 0 ? "" : ", ") + std::to_string(trials[at]);
        failures.emplace_back(reason, text);
    }
    return failures;
}

Standing SeedPlan::standing(int trial, wire::RunStatus status, const TrialScore& score) const {
    const bool fresh = trial >= firstFresh;
    const bool together = seeds > 1 && firstFresh == std::numeric_limits<int>::max();
    const int configuration = fresh ? (trial - firstFresh) / seeds : together ? trial / seeds : -1;
    return {status, score.value, configuration, fresh, score.second, score.step};
}

SeedPlan seedPlanOf(const spec::SweepSpec& spec) {
    if (spec.bestSeeded == 0) return {spec.seeds};
    return {spec.seeds, spec::countSearched(spec).valueOr(std::numeric_limits<int>::max())};
}

Result<spec::SweepSpec> specOf(const store::SweepRow& sweep) {
    return spec::parseSweepSpec(sweep.specJson, "sweep " + sweep.name);
}

Result<run::Score> scoreOf(const store::SweepRow& sweep) {
    TY_ASSIGN(const auto spec, specOf(sweep));
    return scoreOf(spec);
}

void RunScores::note(const std::vector<store::SweepRow>& sweeps) {
    for (const store::SweepRow& sweep : sweeps)
        if (!m_ofSweeps.contains(sweep.id))
            if (const auto score = scoreOf(sweep)) m_ofSweeps.emplace(sweep.id, *score);
}

const run::Score* RunScores::ofSweep(const std::string& sweep) const {
    const auto known = m_ofSweeps.find(sweep);
    return known == m_ofSweeps.end() ? nullptr : &known->second;
}

run::Score RunScores::of(const store::RunRow& run, const std::vector<store::SeriesSummary>& reported) const {
    const run::Score* score = ofSweep(run.sweep);
    return score != nullptr ? *score : run::scoreOf(run, reported);
}

TrialScore scoreTrial(const std::vector<store::SeriesSummary>& summaries, const run::Score& score) {
    for (const auto& summary : summaries) {
        if (summary.series != score.series) continue;
        const auto point = run::scoredPoint(summary, score);
        if (summary.count > 0 && std::isfinite(point.value)) return {point.value, point.step};
    }
    return {};
}

TrialScore scoreTrialByAll(const std::vector<store::SeriesSummary>& summaries, const Scores& scores) {
    auto score = scoreTrial(summaries, scores.first);
    if (scores.second) score.second = scoreTrial(summaries, *scores.second).value;
    return score;
}

std::string statsText(const SeedStats& stats) {
    if (stats.count == 0) return "no score";
    char spread[32] = ""; // two digits: it is no more exact than that
    if (stats.count > 1) std::snprintf(spread, sizeof spread, " ± %.2g", stats.sd);
    return fourDigits(stats.mean) + spread + " over " + std::to_string(stats.count) +
           (stats.count == 1 ? " seed" : " seeds");
}

std::string statsText(const ConfigurationResult& configuration, const Scores& scores) {
    if (!scores.second) return statsText(configuration.stats);
    if (configuration.stats.count == 0) return "no score";
    return scores.first.series + " " + statsText(configuration.stats) + ", " + scores.second->series + " " +
           statsText(configuration.second);
}

std::string frontText(const Ranking& ranking) {
    const auto& all = ranking.configurations;
    if (all.empty()) return std::to_string(ranking.front) + " of " + std::to_string(ranking.trials.size()) + " trials";
    const auto count = std::count_if(all.begin(), all.end(), [](const auto& each) { return each.onFront; });
    return std::to_string(count) + " of " + std::to_string(all.size()) + " configurations";
}

std::string leadText(const std::vector<ConfigurationResult>& configurations) {
    if (configurations.size() < 2 || configurations[1].stats.count == 0) return {};
    const SeedStats &best = configurations[0].stats, &next = configurations[1].stats;
    const auto within = isWithinNoise(best, next);
    return (!within   ? "ahead of the next, "
            : *within ? "within noise of the next, "
                      : "clearly ahead of the next, ") +
           statsText(next);
}

Result<Ranking> rankTrials(store::RunQuery& query, const store::SweepRow& sweep) {
    TY_ASSIGN(const auto spec, specOf(sweep));
    return rankTrials(query, sweep.id, spec);
}

Result<Ranking> rankTrials(store::RunQuery& query, const std::string& sweep, const spec::SweepSpec& spec) {
    const auto scores = scoresOf(spec);
    TY_ASSIGN(auto rows, query.trials(sweep));
    Ranking ranking{.scores = scores, .trials = {}, .order = {}, .configurations = {}, .best = {}, .reason = {}};
    const auto plan = seedPlanOf(spec);
    std::vector<Standing> standings;
    for (auto& row : rows) {
        TY_ASSIGN(const auto summaries, query.summaries(row.id));
        standings.push_back(plan.standing(row.trial, row.status, scoreTrialByAll(summaries, scores)));
        ranking.trials.push_back({std::move(row), standings.back()});
    }
    TY_TRY(addReasons(query, sweep, spec, ranking));
    TY_TRY(addAdoptions(query, sweep, spec, ranking));
    auto order = rank(standings, scores);
    ranking.configurations = configurationsOf(standings, order, scores);
    ranking.order = std::move(order.indices);
    ranking.front = order.front;
    if (order.hasBest) ranking.best = ranking.trials[ranking.order.front()].row.id;
    return ranking;
}

} // namespace trainyard::sweep
