// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/results/warm_start.h"

#include "engine/spec/run/better.h"
#include "engine/spec/values/params.h"
#include "engine/sweep/results/sweep_analysis.h"
#include "engine/sweep/results/sweep_result.h"

#include <algorithm>

namespace trainyard::sweep {
namespace {

constexpr std::size_t kMostResults = 1000; // of one sweep: more teach nothing new

// Whether a loss of one says what a loss of the other would be. The names and what only tells how fast a run comes to
// the same weights do not matter, but few fields are known to be so.
bool comparable(const spec::SweepSpec& spec, const spec::SweepSpec& earlier) {
    if (spec.scoreBy != earlier.scoreBy || spec.mode != earlier.mode || spec.second != earlier.second ||
        spec.rules.score != earlier.rules.score)
        return false;
    const auto runOf = [](const spec::SweepSpec& each) {
        auto run = spec::parseRunSpec(each.runJson).valueOr(spec::RunSpec());
        run.name.clear();
        run.storage.clear();
        run.checkpoint = {};
        return run;
    };
    return runOf(spec) == runOf(earlier);
}

// Best first; of more than there is room for, an even choice.
std::vector<spec::EarlierResult> resultsOf(const Ranking& ranking, const spec::SweepSpec& earlier) {
    const double sign = spec::betterOf(earlier.scoreBy, earlier.mode) == spec::Better::Larger ? -1 : 1;
    const auto second = scoresOf(earlier).second;
    std::vector<spec::EarlierResult> results;
    for (const std::size_t index : ranking.order) {
        const auto& trial = ranking.trials[index];
        if (!trial.standing.score || trial.row.status == wire::RunStatus::Failed) continue;
        results.push_back({spec::paramsFromText(trial.row.paramsJson), sign * *trial.standing.score});
        if (second && trial.standing.second) results.back().second = lossOf(*trial.standing.second, second->better);
    }
    if (results.size() <= kMostResults) return results;
    std::vector<spec::EarlierResult> chosen;
    for (std::size_t i = 0; i < kMostResults; ++i) chosen.push_back(results[i * results.size() / kMostResults]);
    return chosen;
}

} // namespace

Result<spec::SweepSpec> withEarlierResults(const store::Workspace& workspace, spec::SweepSpec spec) {
    if (spec.warmStart.empty()) return spec;
    TY_ASSIGN(const auto query, store::RunQuery::open(workspace));
    for (std::size_t i = 0; i < spec.warmStart.size(); ++i) {
        auto& start = spec.warmStart[i];
        const std::string path = "warmStart." + std::to_string(i) + ".sweep", found = ", found \"" + start.sweep + "\"";
        const auto row = query->sweep(start.sweep);
        if (!row) return inputError("is not a sweep of this workspace" + found, path, row.error().remedy);
        TY_ASSIGN(const auto earlier, specOf(*row));
        TY_ASSIGN(const auto ranking, rankTrials(*query, row->id, earlier));
        start.results = resultsOf(ranking, earlier);
        for (auto& each : start.results) each.params = spec::renamed(earlier.space, spec.space, std::move(each.params));
        std::erase_if(start.results, [&](const auto& each) { return !spec::fitted(spec.space, each.params); });
        if (start.results.empty())
            return inputError("has no trial with a score and with parameters of this space" + found, path,
                              "take a sweep over the same fields, or widen the space");
        start.sameRun = comparable(spec, earlier);
    }
    return spec;
}

} // namespace trainyard::sweep
