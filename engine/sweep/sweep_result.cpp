// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_result.h"

#include "engine/spec/params_text.h"
#include "engine/sweep/decision_text.h"
#include "engine/sweep/judge.h"
#include "engine/sweep/pareto.h"
#include "engine/sweep/sweep_analysis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>

namespace trainyard::sweep {
namespace {

enum class Tier { Fresh, Scored, Failed, Unscored };

Tier tierOf(const Standing& trial) {
    if (!trial.score) return Tier::Unscored;
    if (trial.status == wire::RunStatus::Failed) return Tier::Failed;
    return trial.fresh ? Tier::Fresh : Tier::Scored;
}

bool counts(const Standing& trial) { return tierOf(trial) <= Tier::Scored; }

// The mean score of each configuration of several trials.
std::map<int, double> meansOf(const std::vector<Standing>& trials) {
    std::map<int, std::vector<double>> scores;
    for (const Standing& trial : trials)
        if (trial.configuration >= 0 && counts(trial)) scores[trial.configuration].push_back(*trial.score);
    std::map<int, double> means;
    for (const auto& [configuration, list] : scores) means[configuration] = seedStats(list).mean;
    return means;
}

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

Standing SeedPlan::standing(int trial, wire::RunStatus status, std::optional<double> score,
                            std::optional<double> second) const {
    if (trial >= firstFresh) return {status, score, (trial - firstFresh) / seeds, true, second};
    const bool together = seeds > 1 && firstFresh == std::numeric_limits<int>::max();
    return {status, score, together ? trial / seeds : -1, false, second};
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

RankOrder rank(const std::vector<Standing>& trials, spec::Better better) {
    const auto means = meansOf(trials);
    const auto valueOf = [&](std::size_t index) {
        const Standing& trial = trials[index];
        const auto mean = counts(trial) ? means.find(trial.configuration) : means.end();
        return mean != means.end() ? mean->second : *trial.score;
    };
    RankOrder order;
    order.indices.resize(trials.size());
    std::iota(order.indices.begin(), order.indices.end(), std::size_t{0});
    std::stable_sort(order.indices.begin(), order.indices.end(), [&](std::size_t a, std::size_t b) {
        const Standing &left = trials[a], &right = trials[b];
        if (tierOf(left) != tierOf(right)) return tierOf(left) < tierOf(right);
        if (!left.score) return false;
        if (const double first = valueOf(a), second = valueOf(b); first != second)
            return spec::isBetter(better, first, second);
        if (left.configuration != right.configuration) return left.configuration < right.configuration;
        return spec::isBetter(better, *left.score, *right.score);
    });
    order.hasBest = !order.indices.empty() && counts(trials[order.indices.front()]);
    return order;
}

RankOrder rank(const std::vector<Standing>& trials, const Scores& scores) {
    if (!scores.second) return rank(trials, scores.first.better);
    std::vector<Standing> paired = trials;
    for (Standing& trial : paired)
        if (!trial.second) trial.score.reset();
    std::map<Tier, std::vector<std::size_t>> tiers;
    for (std::size_t i = 0; i < paired.size(); ++i) tiers[tierOf(paired[i])].push_back(i);
    RankOrder order;
    for (const auto& [tier, members] : tiers) {
        std::vector<LossPair> losses;
        for (const std::size_t index : members)
            losses.push_back({lossOf(paired[index].score.value_or(0), scores.first.better),
                              lossOf(paired[index].second.value_or(0), scores.second->better)});
        if (tier == Tier::Unscored) {
            order.indices.insert(order.indices.end(), members.begin(), members.end());
            continue;
        }
        for (const std::size_t best : bestFirst(losses)) order.indices.push_back(members[best]);
        if (tier != Tier::Scored) continue;
        order.hasBest = true;
        const auto fronts = frontsOf(losses);
        order.front = static_cast<std::size_t>(std::count(fronts.begin(), fronts.end(), 0));
    }
    return order;
}

std::vector<ConfigurationResult> configurationsOf(const std::vector<Standing>& trials,
                                                  const std::vector<std::size_t>& order) {
    std::vector<ConfigurationResult> list;
    std::map<int, std::size_t> places;
    std::vector<std::vector<double>> scores;
    for (const std::size_t index : order) {
        const Standing& trial = trials[index];
        if (trial.configuration < 0) continue;
        const auto [place, isNew] = places.emplace(trial.configuration, list.size());
        if (isNew) {
            list.push_back({.configuration = trial.configuration});
            scores.emplace_back();
        }
        list[place->second].trials.push_back(index);
        if (counts(trial)) scores[place->second].push_back(*trial.score);
    }
    for (std::size_t i = 0; i < list.size(); ++i) list[i].stats = seedStats(scores[i]);
    std::erase_if(list, [&](const auto& each) { return each.stats.count == 0 && trials[each.trials[0]].fresh; });
    return list;
}

std::string statsText(const SeedStats& stats) {
    if (stats.count == 0) return "no score";
    char spread[32] = ""; // two digits: it is no more exact than that
    if (stats.count > 1) std::snprintf(spread, sizeof spread, " ± %.2g", stats.sd);
    return fourDigits(stats.mean) + spread + " over " + std::to_string(stats.count) +
           (stats.count == 1 ? " seed" : " seeds");
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

// By the first series, where there are two.
Result<SweepImportance> importanceOfSweep(const spec::SweepSpec& spec, const Ranking& ranking) {
    std::vector<Observation> observations;
    for (const TrialResult& trial : ranking.trials)
        if (trial.score.value)
            observations.push_back(
                {spec::paramsFromText(trial.row.paramsJson), lossOf(*trial.score.value, ranking.scores.first.better)});
    TY_ASSIGN(auto axes, importanceOf(spec.space, observations));
    return SweepImportance{observations.size(), std::move(axes)};
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
        ranking.trials.push_back({std::move(row), scoreTrialByAll(summaries, scores), {}});
        const TrialResult& trial = ranking.trials.back();
        standings.push_back(plan.standing(trial.row.trial, trial.row.status, trial.score.value, trial.score.second));
    }
    TY_TRY(addReasons(query, sweep, spec, ranking));
    TY_TRY(addAdoptions(query, sweep, spec, ranking));
    auto order = rank(standings, scores);
    ranking.order = std::move(order.indices);
    ranking.front = order.front;
    ranking.configurations = configurationsOf(standings, ranking.order);
    if (order.hasBest) ranking.best = ranking.trials[ranking.order.front()].row.id;
    return ranking;
}

} // namespace trainyard::sweep
