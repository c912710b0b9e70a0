// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_result.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::sweep {
namespace {

enum class Tier { Scored, Failed, Unscored };

Tier tierOf(const Standing& trial) {
    if (!trial.score) return Tier::Unscored;
    return trial.status == wire::RunStatus::Failed ? Tier::Failed : Tier::Scored;
}

} // namespace

run::Score scoreOf(const spec::SweepSpec& spec) { return {spec.scoreBy, spec::betterOf(spec.scoreBy, spec.mode)}; }

Result<run::Score> scoreOf(const store::SweepRow& sweep) {
    TY_ASSIGN(const auto spec, spec::parseSweepSpec(sweep.specJson, "sweep " + sweep.name));
    return scoreOf(spec);
}

TrialScore scoreTrial(const std::vector<store::SeriesSummary>& summaries, const run::Score& score) {
    for (const auto& summary : summaries) {
        if (summary.series != score.series) continue;
        const auto best = run::bestOf(summary, score);
        if (summary.count > 0 && std::isfinite(best.value)) return {best.value, best.step};
    }
    return {};
}

Order rank(const std::vector<Standing>& trials, spec::Better better) {
    Order order;
    order.indices.resize(trials.size());
    std::iota(order.indices.begin(), order.indices.end(), std::size_t{0});
    std::stable_sort(order.indices.begin(), order.indices.end(), [&](std::size_t a, std::size_t b) {
        const Standing &left = trials[a], &right = trials[b];
        if (tierOf(left) != tierOf(right)) return tierOf(left) < tierOf(right);
        return left.score && spec::isBetter(better, *left.score, *right.score);
    });
    order.hasBest = !order.indices.empty() && tierOf(trials[order.indices.front()]) == Tier::Scored;
    return order;
}

Result<Ranking> rankTrials(store::RunQuery& query, const store::SweepRow& sweep) {
    TY_ASSIGN(const auto score, scoreOf(sweep));
    return rankTrials(query, sweep.id, score);
}

Result<Ranking> rankTrials(store::RunQuery& query, const std::string& sweep, const run::Score& score) {
    TY_ASSIGN(auto rows, query.trials(sweep));
    Ranking ranking;
    std::vector<Standing> standings;
    for (auto& row : rows) {
        TY_ASSIGN(const auto summaries, query.summaries(row.id));
        ranking.trials.push_back({std::move(row), scoreTrial(summaries, score)});
        standings.push_back({ranking.trials.back().row.status, ranking.trials.back().score.value});
    }
    auto order = rank(standings, score.better);
    ranking.order = std::move(order.indices);
    if (order.hasBest) ranking.best = ranking.trials[ranking.order.front()].row.id;
    return ranking;
}

} // namespace trainyard::sweep
