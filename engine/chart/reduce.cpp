// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/chart/reduce.h"

#include "engine/base/math/statistics.h"

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

bool sameX(const Line& one, const Line& other) {
    return std::equal(one.points.begin(), one.points.end(), other.points.begin(), other.points.end(),
                      [](const XY& a, const XY& b) { return a.x == b.x; });
}

// Where the mean of the lines is taken.
std::vector<double> placesOf(std::span<const Line> lines, int columns) {
    std::vector<double> places;
    if (!lines.empty() && lines.front().points.size() <= static_cast<std::size_t>(columns) + 1 &&
        std::all_of(lines.begin(), lines.end(), [&](const Line& line) { return sameX(line, lines.front()); })) {
        for (const XY& point : lines.front().points) places.push_back(point.x);
        return places;
    }
    double from = HUGE_VAL, to = -HUGE_VAL;
    for (const Line& line : lines) {
        if (line.points.empty()) continue;
        from = std::min(from, line.points.front().x);
        to = std::max(to, line.points.back().x);
    }
    for (int column = 0; from < to && column < columns; ++column)
        places.push_back(from + (to - from) * column / columns);
    if (from <= to) places.push_back(to);
    return places;
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
    Line result;
    for (const double x : placesOf(lines, columns)) {
        RunningMean mean;
        for (const Line& line : lines) mean.add(valueAt(line, x));
        if (mean.count() == 0 || (mean.count() == 1 && lines.size() > 1)) continue;
        result.points.push_back({x, mean.mean()});
        if (mean.count() > 1)
            result.band.push_back({x, mean.mean() - mean.deviation(), mean.mean() + mean.deviation()});
    }
    return result;
}

} // namespace trainyard::chart
