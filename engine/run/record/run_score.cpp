// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/run_score.h"

#include <nlohmann/json.hpp>

namespace trainyard::run {

Score scoreOf(const store::RunRow& row) {
    const auto json = nlohmann::json::parse(row.specJson, nullptr, false);
    const auto policy = json.is_object() ? json.find("checkpoint") : json.end();
    const auto word = [&](const char* key) -> std::string {
        if (policy == json.end() || !policy->is_object()) return {};
        const auto found = policy->find(key);
        return found != policy->end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    Score score;
    if (auto series = word("scoreBy"); !series.empty()) score.series = std::move(series);
    score.better = spec::betterOf(score.series, word("mode"));
    return score;
}

BestValue bestOf(const store::SeriesSummary& summary, const Score& score) {
    const auto better = summary.series == score.series ? score.better : spec::betterOf(summary.series);
    return better == spec::Better::Smaller ? BestValue{summary.min, summary.minStep}
                                           : BestValue{summary.max, summary.maxStep};
}

BestValue scoredPoint(const store::SeriesSummary& summary, const Score& score) {
    if (score.at == spec::ScoreAt::Last) return {summary.last, summary.lastStep};
    return bestOf(summary, score);
}

} // namespace trainyard::run
