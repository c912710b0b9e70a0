// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_result.h"

#include "engine/spec/sweep_spec.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard::sweep {

Result<Ranking> rankTrials(store::RunQuery& query, const store::SweepRow& sweep) {
    TY_ASSIGN(const auto spec, spec::parseSweepSpec(sweep.specJson, "sweep " + sweep.name));
    TY_ASSIGN(auto rows, query.trials(sweep.id));
    const bool least = spec.mode == "min";
    Ranking ranking;
    for (auto& row : rows) {
        TrialResult trial{std::move(row), std::nullopt, 0};
        TY_ASSIGN(const auto summaries, query.summaries(trial.row.id));
        for (const auto& summary : summaries) {
            if (summary.series != spec.scoreBy) continue;
            const double value = least ? summary.min : summary.max;
            if (!std::isfinite(value)) continue;
            trial.score = value;
            trial.scoreStep = least ? summary.minStep : summary.maxStep;
        }
        ranking.trials.push_back(std::move(trial));
    }
    ranking.order.resize(ranking.trials.size());
    std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
    const auto tier = [](const TrialResult& trial) {
        return !trial.score ? 2 : trial.row.status == wire::RunStatus::Failed ? 1 : 0;
    };
    std::stable_sort(ranking.order.begin(), ranking.order.end(), [&](std::size_t a, std::size_t b) {
        const auto &left = ranking.trials[a], &right = ranking.trials[b];
        if (tier(left) != tier(right)) return tier(left) < tier(right);
        if (!left.score) return false;
        return least ? *left.score < *right.score : *left.score > *right.score;
    });
    if (!ranking.order.empty() && tier(ranking.trials[ranking.order.front()]) == 0)
        ranking.best = ranking.trials[ranking.order.front()].row.id;
    return ranking;
}

} // namespace trainyard::sweep
