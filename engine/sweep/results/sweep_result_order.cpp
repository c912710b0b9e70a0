// SPDX-License-Identifier: GPL-3.0-or-later
// The order of trials: rank(), and what it compares.
#include "engine/sweep/results/sweep_analysis.h"
#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/values/pareto.h"

#include <algorithm>
#include <array>
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

// Without a value of both series a trial has no score.
std::vector<Standing> pairedOf(std::vector<Standing> trials) {
    for (Standing& trial : trials)
        if (!trial.second) trial.score.reset();
    return trials;
}

// Of trials of one tier that have both scores, those of one configuration together.
std::vector<PairedResult> resultsOf(const std::vector<Standing>& trials, const std::vector<std::size_t>& members,
                                    const Scores& scores) {
    std::vector<PairedResult> results;
    std::map<int, std::size_t> places;
    for (const std::size_t index : members) {
        const int configuration = counts(trials[index]) ? trials[index].configuration : -1;
        if (configuration < 0) {
            results.push_back({{index}, {}});
            continue;
        }
        const auto [place, isNew] = places.emplace(configuration, results.size());
        if (isNew) results.emplace_back();
        results[place->second].trials.push_back(index);
    }
    for (PairedResult& each : results) {
        double first = 0, second = 0;
        for (const std::size_t index : each.trials) {
            first += *trials[index].score;
            second += *trials[index].second;
        }
        const auto count = static_cast<double>(each.trials.size());
        each.losses = {lossOf(first / count, scores.first.better), lossOf(second / count, scores.second->better)};
        std::stable_sort(each.trials.begin(), each.trials.end(), [&](std::size_t a, std::size_t b) {
            return spec::isBetter(scores.first.better, *trials[a].score, *trials[b].score);
        });
    }
    return results;
}

std::vector<std::size_t> membersOf(const std::vector<Standing>& trials, Tier tier) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < trials.size(); ++i)
        if (tierOf(trials[i]) == tier) members.push_back(i);
    return members;
}

} // namespace

std::vector<PairedResult> pairedResults(const std::vector<Standing>& trials, const Scores& scores) {
    const auto paired = pairedOf(trials);
    const auto fresh = membersOf(paired, Tier::Fresh);
    return resultsOf(paired, fresh.empty() ? membersOf(paired, Tier::Scored) : fresh, scores);
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
    const auto paired = pairedOf(trials);
    RankOrder order;
    for (const Tier tier : {Tier::Fresh, Tier::Scored, Tier::Failed}) {
        const auto results = resultsOf(paired, membersOf(paired, tier), scores);
        std::vector<LossPair> losses;
        for (const PairedResult& each : results) losses.push_back(each.losses);
        const auto fronts = frontsOf(losses);
        const bool first = tier != Tier::Failed && order.indices.empty();
        for (const std::size_t best : bestFirst(losses)) {
            const auto& members = results[best].trials;
            order.indices.insert(order.indices.end(), members.begin(), members.end());
            if (first && fronts[best] == 0) order.front += members.size();
        }
        order.hasBest = order.hasBest || (tier != Tier::Failed && !results.empty());
    }
    const auto unscored = membersOf(paired, Tier::Unscored);
    order.indices.insert(order.indices.end(), unscored.begin(), unscored.end());
    return order;
}

std::vector<ConfigurationResult> configurationsOf(const std::vector<Standing>& given, const RankOrder& order,
                                                  const Scores& scores) {
    const auto trials = scores.second ? pairedOf(given) : given;
    std::vector<ConfigurationResult> list;
    std::map<int, std::size_t> places;
    std::vector<std::array<std::vector<double>, 2>> values;
    for (std::size_t place = 0; place < order.indices.size(); ++place) {
        const std::size_t index = order.indices[place];
        const Standing& trial = trials[index];
        if (trial.configuration < 0) continue;
        const auto [at, isNew] = places.emplace(trial.configuration, list.size());
        if (isNew) {
            list.push_back({.configuration = trial.configuration, .onFront = place < order.front});
            values.emplace_back();
        }
        list[at->second].trials.push_back(index);
        if (!counts(trial)) continue;
        values[at->second][0].push_back(*trial.score);
        if (scores.second) values[at->second][1].push_back(*trial.second);
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
        list[i].stats = seedStats(values[i][0]);
        if (scores.second) list[i].second = seedStats(values[i][1]);
    }
    std::erase_if(list, [&](const auto& each) { return each.stats.count == 0 && trials[each.trials[0]].fresh; });
    return list;
}

} // namespace trainyard::sweep
