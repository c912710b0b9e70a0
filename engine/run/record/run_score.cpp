// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/run_score.h"

#include "engine/base/json_text.h"
#include "engine/run/record/series/likely_score.h"
#include "engine/run/record/series/source_series.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <limits>

namespace trainyard::run {
namespace {

const std::string kTestPrefix = "test/";

// What the run file says, and whether it leaves the score of a program open.
struct SaidScore {
    Score score{};
    bool isOpen = false;
};

SaidScore saidScore(const store::RunRow& row) {
    const auto json = parseSortedJson(row.specJson);
    const auto policy = json.is_object() ? json.find("checkpoint") : json.end();
    const auto word = [&](const char* key) -> std::string {
        if (policy == json.end() || !policy->is_object()) return {};
        const auto found = policy->find(key);
        return found != policy->end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    SaidScore said;
    auto series = word("scoreBy");
    said.isOpen = series.empty() && json.is_object() && json.contains("program");
    if (!series.empty()) said.score.series = std::move(series);
    said.score.better = spec::betterOf(said.score.series, word("mode"));
    return said;
}

} // namespace

Score scoreOf(const store::RunRow& row) { return saidScore(row).score; }

Score scoreOf(const store::RunRow& row, const std::vector<std::string>& reported) {
    auto said = saidScore(row);
    if (!said.isOpen) return said.score;
    std::vector<std::string> measures;
    std::ranges::copy_if(reported, std::back_inserter(measures), tellsOfTraining);
    if (auto likely = likelyScore(measures); !likely.empty()) {
        said.score.better = spec::betterOf(likely); // the mode of the run file is that of a series it does not name
        said.score.series = std::move(likely);
    }
    return said.score;
}

Score scoreOf(const store::RunRow& row, const std::vector<store::SeriesSummary>& reported) {
    std::vector<std::string> names;
    for (const auto& summary : reported)
        if (summary.count > 0) names.push_back(summary.series);
    return scoreOf(row, names);
}

BestValue bestOf(const store::SeriesSummary& summary, const Score& score) {
    const auto better = summary.series == score.series ? score.better : spec::betterOf(summary.series);
    return better == spec::Better::Smaller ? BestValue{summary.min, summary.minStep}
                                           : BestValue{summary.max, summary.maxStep};
}

double valueOf(const store::SeriesSummary& summary, Aspect aspect, const Score& score) {
    if (summary.count == 0) return std::numeric_limits<double>::quiet_NaN();
    switch (aspect) {
    case Aspect::Best: return bestOf(summary, score).value;
    case Aspect::Last: return summary.last;
    case Aspect::Min: return summary.min;
    case Aspect::Max: return summary.max;
    }
    return std::numeric_limits<double>::quiet_NaN();
}

const char* toString(Aspect aspect) {
    switch (aspect) {
    case Aspect::Best: return "best";
    case Aspect::Last: return "last";
    case Aspect::Min: return "min";
    case Aspect::Max: return "max";
    }
    return "";
}

SeriesAspect seriesAspect(std::string_view text) {
    for (const Aspect aspect : {Aspect::Best, Aspect::Last, Aspect::Min, Aspect::Max}) {
        const std::string ending = std::string(".") + toString(aspect);
        if (text.size() > ending.size() && text.ends_with(ending))
            return {std::string(text.substr(0, text.size() - ending.size())), aspect};
    }
    return {std::string(text), Aspect::Best};
}

std::string toText(const SeriesAspect& of) { return of.series + "." + toString(of.aspect); }

std::string testSeriesOf(std::string_view validationSeries) {
    const auto measure = validationSeries.find('/');
    return kTestPrefix +
           std::string(measure == validationSeries.npos ? validationSeries : validationSeries.substr(measure + 1));
}

bool isSingleTest(std::string_view series, std::int64_t points) {
    return points < 2 && series.starts_with(kTestPrefix);
}

BestValue scoredPoint(const store::SeriesSummary& summary, const Score& score) {
    if (score.at == spec::ScoreAt::Last) return {summary.last, summary.lastStep};
    return bestOf(summary, score);
}

} // namespace trainyard::run
