// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chart/reduce.h"

#include "engine/base/running_mean.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::chart {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

double valueAt(const Line& line, double x) {
    const auto after = std::lower_bound(line.points.begin(), line.points.end(), x,
                                        [](const XY& point, double wanted) { return point.x < wanted; });
    if (after == line.points.end()) return kNoNumber;
    if (!(after->x > x)) return after->y;
    if (after == line.points.begin()) return kNoNumber;
    const XY& before = *std::prev(after);
    return between({before.x, before.y}, {after->x, after->y}, x);
}

} // namespace

std::vector<Group> reduce(std::span<const XY> points, std::size_t most) {
    std::vector<Group> groups;
    const std::size_t size = std::max<std::size_t>(1, (points.size() + most - 1) / std::max<std::size_t>(1, most));
    for (std::size_t first = 0; first < points.size(); first += size) {
        const auto some = points.subspan(first, std::min(size, points.size() - first));
        Group group{.x = some.back().x, .mean = 0, .low = HUGE_VAL, .high = -HUGE_VAL};
        RunningMean mean;
        for (const XY& point : some) {
            if (!std::isfinite(point.y)) continue;
            mean.add(point.y);
            group.low = std::min(group.low, point.y);
            group.high = std::max(group.high, point.y);
        }
        if (mean.count() == 0) continue;
        group.mean = mean.mean();
        groups.push_back(group);
    }
    return groups;
}

Line lineOf(std::span<const Group> groups, bool extremes) {
    Line line;
    bool spread = false;
    for (const Group& group : groups) {
        line.points.push_back({group.x, group.mean});
        line.band.push_back({group.x, group.low, group.high});
        spread = spread || group.low != group.high;
    }
    if (!extremes || !spread) line.band.clear();
    return line;
}

Line meanOf(std::span<const Line> lines, int columns) {
    double from = HUGE_VAL, to = -HUGE_VAL;
    for (const Line& line : lines) {
        if (line.points.empty()) continue;
        from = std::min(from, line.points.front().x);
        to = std::max(to, line.points.back().x);
    }
    Line result;
    for (int column = 0; from <= to && column <= columns; ++column) {
        const double x = column == columns ? to : from + (to - from) * column / columns;
        RunningMean mean;
        for (const Line& line : lines) mean.add(valueAt(line, x));
        if (mean.count() == 0 || (mean.count() == 1 && lines.size() > 1)) continue;
        result.points.push_back({x, mean.mean()});
        if (mean.count() > 1)
            result.band.push_back({x, mean.mean() - mean.deviation(), mean.mean() + mean.deviation()});
        if (from == to) break;
    }
    return result;
}

} // namespace trainyard::chart
