// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/results/sweep_analysis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trainyard::sweep {

double lossOf(double score, spec::Better better) { return better == spec::Better::Larger ? -score : score; }

std::vector<double> bestSoFar(std::span<const double> losses) {
    std::vector<double> course;
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const double loss : losses) {
        if (std::isfinite(loss) && !(best <= loss)) best = loss;
        course.push_back(best);
    }
    return course;
}

std::vector<EdfPoint> edfOf(std::span<const double> values) {
    std::vector<double> sorted;
    std::copy_if(values.begin(), values.end(), std::back_inserter(sorted), [](double v) { return std::isfinite(v); });
    std::sort(sorted.begin(), sorted.end());
    std::vector<EdfPoint> points;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const EdfPoint point{sorted[i], static_cast<double>(i + 1) / static_cast<double>(sorted.size())};
        if (!points.empty() && points.back().value == point.value) points.back() = point;
        else points.push_back(point);
    }
    return points;
}

std::vector<int> lanesOf(std::span<const Stretch> stretches) {
    std::vector<std::size_t> order(stretches.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return stretches[a].from < stretches[b].from; });
    std::vector<int> lanes(stretches.size(), 0);
    std::vector<double> freeFrom;
    for (const std::size_t index : order) {
        const auto lane =
            std::find_if(freeFrom.begin(), freeFrom.end(), [&](double from) { return from <= stretches[index].from; });
        lanes[index] = static_cast<int>(lane - freeFrom.begin());
        if (lane == freeFrom.end()) freeFrom.push_back(stretches[index].to);
        else *lane = stretches[index].to;
    }
    return lanes;
}

} // namespace trainyard::sweep
