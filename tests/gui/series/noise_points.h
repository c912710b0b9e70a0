// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/series_data.h"

#include <random>

namespace trainyard::ui {

// Points at even steps with normally distributed values; the same for the same seed.
inline std::vector<PlotPoint> noise(std::size_t count, unsigned seed = 1, qint64 firstStep = 0, qint64 stride = 3) {
    std::mt19937 random(seed);
    std::normal_distribution<double> value;
    std::vector<PlotPoint> points;
    for (std::size_t i = 0; i < count; ++i) {
        const auto step = firstStep + static_cast<qint64>(i) * stride;
        points.push_back({step, static_cast<double>(step) / 100, static_cast<double>(step) * 0.25, value(random)});
    }
    return points;
}

inline SeriesData seriesOf(const std::vector<PlotPoint>& points) {
    SeriesData series;
    series.append(points);
    return series;
}

} // namespace trainyard::ui
