// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/rank_lanes.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard::ui {

namespace {

struct LaneWords {
    Q_DECLARE_TR_FUNCTIONS(RankLanes)
};

} // namespace

QString timePartName(TimePart part) {
    switch (part) {
    case TimePart::Data: return LaneWords::tr("data");
    case TimePart::Compute: return LaneWords::tr("compute");
    case TimePart::Communication: return LaneWords::tr("communication");
    case TimePart::Wait: return LaneWords::tr("wait");
    }
    return {};
}

double endOf(const std::vector<RankLane>& lanes) {
    double end = 0;
    for (const RankLane& lane : lanes)
        if (!lane.spans.empty()) end = std::max(end, lane.spans.back().to);
    return end;
}

TimeShares meanShares(const RankLane& lane, double from, double to) {
    TimeShares mean{};
    if (!(to > from)) return mean;
    auto span = std::lower_bound(lane.spans.begin(), lane.spans.end(), from,
                                 [](const TimeSpan& each, double time) { return each.to <= time; });
    for (; span != lane.spans.end() && span->from < to; ++span) {
        const double seconds = std::min(to, span->to) - std::max(from, span->from);
        for (std::size_t part = 0; part < kTimeParts; ++part)
            mean[part] += static_cast<float>(seconds / (to - from)) * span->shares[part];
    }
    return mean;
}

} // namespace trainyard::ui
