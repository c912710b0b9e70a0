// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/rank_timeline.h"

#include "engine/run/record/series/system_series.h"

#include <algorithm>
#include <map>

namespace trainyard::ui {

namespace {

constexpr double kLateness = 2; // multiple of the usual distance of two points beyond which the lane has a gap

constexpr std::array<std::string_view, kTimeParts> kParts{run::kData, run::kCompute, run::kCommunication, run::kWait};

RankLane laneOf(int rank, const std::array<const SeriesData*, kTimeParts>& parts, std::size_t ranks) {
    RankLane lane{rank, {}};
    std::size_t count = parts[0]->size(); // one part may briefly have one point more
    for (const SeriesData* part : parts) count = std::min(count, part->size());
    lane.spans.reserve(count);
    double before = 0;
    for (std::size_t i = 0; i < count; ++i) {
        TimeSpan span;
        span.to = parts[0]->at(i).timeSeconds;
        const double usual = kLateness * run::systemInterval(span.to, ranks);
        span.from = std::max(before, span.to - usual);
        for (std::size_t part = 0; part < kTimeParts; ++part)
            span.shares[part] = static_cast<float>(parts[part]->value(i));
        before = std::max(before, span.to);
        if (span.to > span.from) lane.spans.push_back(span);
    }
    return lane;
}

} // namespace

std::vector<RankLane> rankLanes(const SeriesStore& store, const QString& run) {
    std::map<int, std::array<const SeriesData*, kTimeParts>> ranks;
    for (const QString& name : store.names(run)) {
        const auto time = run::rankTimeOf(name.toStdString());
        if (!time) continue;
        const auto part = std::find(kParts.begin(), kParts.end(), time->part);
        ranks[time->rank][static_cast<std::size_t>(part - kParts.begin())] = store.find(run, name);
    }
    std::vector<RankLane> lanes;
    for (const auto& [rank, parts] : ranks) {
        const bool whole = std::none_of(parts.begin(), parts.end(), [](const auto* part) { return part == nullptr; });
        if (whole) lanes.push_back(laneOf(rank, parts, ranks.size()));
    }
    return lanes;
}

std::optional<run::RankWait> stragglerBetween(const std::vector<RankLane>& lanes, double from, double to) {
    std::vector<run::RankWait> waits;
    for (const RankLane& lane : lanes) {
        const TimeShares mean = meanShares(lane, from, to);
        waits.push_back({lane.rank, {}, static_cast<double>(mean[2]) + static_cast<double>(mean[3])});
    }
    return run::stragglerOf(waits);
}

} // namespace trainyard::ui
