// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_result.h"

#include "engine/sweep/judge.h"

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

std::string ordinal(int place) {
    const int tens = place % 100, ones = place % 10;
    const char* end = tens >= 11 && tens <= 13 ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th";
    return std::to_string(place) + end;
}

std::string fourDigits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
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
            trial.reason = reasonOf(*found->second, spec, length.epochs);
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

// "epoch 3", "step 100".
std::string placeText(double t, bool epochs) { return (epochs ? "epoch " : "step ") + spec::toText(t); }

// A stop rule of the sweep file, or the end of the sweep.
std::string endedText(const store::TrialDecisionRow& decision, const spec::SweepSpec& spec, bool epochs) {
    const auto rule = static_cast<std::size_t>(decision.place);
    if (decision.rule != "stop" || rule >= spec.rules.stop.size())
        return causeFromString(decision.rule) ? "ended with the sweep" : "ended early";
    const auto& stop = spec.rules.stop[rule];
    return "ended by the sweep's stop rule at " + placeText(decision.rung, epochs) + ": " + stop.series + " " +
           fourDigits(decision.loss) + " is " + (stop.above ? "above " : "below ") + fourDigits(stop.limit);
}

} // namespace

run::Score scoreOf(const spec::SweepSpec& spec) {
    return {spec.scoreBy, spec::betterOf(spec.scoreBy, spec.mode), spec.rules.score};
}

Standing SeedPlan::standing(int trial, wire::RunStatus status, std::optional<double> score) const {
    if (trial >= firstFresh) return {status, score, (trial - firstFresh) / seeds, true};
    const bool together = seeds > 1 && firstFresh == std::numeric_limits<int>::max();
    return {status, score, together ? trial / seeds : -1};
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

std::string reasonOf(const store::TrialDecisionRow& decision, const spec::SweepSpec& spec, bool epochs) {
    if (decision.decision == "resumed") return {};
    if (decision.rule.find('@') != std::string::npos)
        return (decision.decision == "killed" ? "killed by " : "stopped by ") + decision.rule;
    if (decision.decision == "ended" || causeFromString(decision.rule)) return endedText(decision, spec, epochs);
    const run::Score score = scoreOf(spec);
    const auto value = [&](double loss) { return fourDigits(score.better == spec::Better::Larger ? -loss : loss); };
    const std::string what = decision.decision == "paused"   ? "paused"
                             : decision.decision == "adopts" ? "told to adopt"
                                                             : "stopped early";
    std::string text = what + " by " + decision.rule + " at " + placeText(decision.rung, epochs) + ": " + score.series;
    if (!std::isfinite(decision.loss)) return text + " was not a finite number";
    text += " " + value(decision.loss);
    if (decision.places > 0) text += " came " + ordinal(decision.place) + " of " + std::to_string(decision.places);
    if (std::isfinite(decision.cut)) text += ", and " + value(decision.cut) + " was needed";
    return text;
}

store::TrialDecisionRow decisionOf(const SweepEnd& end) {
    return {.trial = kWholeSweep,
            .decision = end.isFailure() ? "failed" : "ended",
            .rule = toString(end.cause),
            .loss = end.amount,
            .cut = end.limit,
            .place = static_cast<int>(end.code)};
}

std::string endReasonOf(const store::TrialDecisionRow& decision, const spec::SweepSpec& spec) {
    const auto cause = causeFromString(decision.rule);
    if (!cause || decision.trial != kWholeSweep) return {};
    const run::Score score = scoreOf(spec);
    const auto used = [&](const char* unit) {
        return "the budget is used up: " + fourDigits(decision.loss) + " of " + fourDigits(decision.cut) + unit;
    };
    const double sign = score.better == spec::Better::Larger ? -1 : 1;
    switch (*cause) {
    case SweepEnd::Cause::Seconds: return used(" seconds");
    case SweepEnd::Cause::TrainSeconds: return used(" seconds of training");
    case SweepEnd::Cause::Epochs: return used(" epochs");
    case SweepEnd::Cause::Target:
        return "the target is reached: " + score.series + " " + fourDigits(sign * decision.loss) + ", and " +
               fourDigits(sign * decision.cut) + " was asked for";
    case SweepEnd::Cause::IdleTrials: return fourDigits(decision.loss) + " trials in a row without improvement";
    case SweepEnd::Cause::Failures:
        return fourDigits(decision.loss) + " of " + fourDigits(decision.cut) +
               " trials failed, and failure.maxShare is " + fourDigits(spec.rules.failure.maxShare);
    case SweepEnd::Cause::Asked: return "it was asked to finish";
    case SweepEnd::Cause::SameError:
        return std::string("the first three trials failed with the same error, ") +
               toString(static_cast<ErrorCode>(std::clamp(decision.place, 0, kErrorCodes - 1)));
    }
    return {};
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

Result<Ranking> rankTrials(store::RunQuery& query, const store::SweepRow& sweep) {
    TY_ASSIGN(const auto spec, specOf(sweep));
    return rankTrials(query, sweep.id, spec);
}

Result<Ranking> rankTrials(store::RunQuery& query, const std::string& sweep, const spec::SweepSpec& spec) {
    const auto score = scoreOf(spec);
    TY_ASSIGN(auto rows, query.trials(sweep));
    Ranking ranking;
    const auto plan = seedPlanOf(spec);
    std::vector<Standing> standings;
    for (auto& row : rows) {
        TY_ASSIGN(const auto summaries, query.summaries(row.id));
        ranking.trials.push_back({std::move(row), scoreTrial(summaries, score), {}});
        const TrialResult& trial = ranking.trials.back();
        standings.push_back(plan.standing(trial.row.trial, trial.row.status, trial.score.value));
    }
    TY_TRY(addReasons(query, sweep, spec, ranking));
    TY_TRY(addAdoptions(query, sweep, spec, ranking));
    auto order = rank(standings, score.better);
    ranking.order = std::move(order.indices);
    ranking.configurations = configurationsOf(standings, ranking.order);
    if (order.hasBest) ranking.best = ranking.trials[ranking.order.front()].row.id;
    return ranking;
}

} // namespace trainyard::sweep
