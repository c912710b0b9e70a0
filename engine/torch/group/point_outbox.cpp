// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/point_outbox.h"

#include "engine/torch/group/unstored_points.h"

#include <algorithm>
#include <utility>

namespace trainyard::train {

void PointOutbox::add(const std::string& series, const wire::Point& point) {
    auto& points = m_points[series];
    if (points.size() >= kPointsKept) thinOut(points);
    points.push_back(point);
}

void PointOutbox::takeAll(std::vector<std::byte>& frames, Time now) {
    wire::Metrics metrics;
    std::size_t count = 0;
    const auto emit = [&] {
        const auto frame = wire::encodeMessage(std::exchange(metrics, {}));
        frames.insert(frames.end(), frame.begin(), frame.end());
        count = 0;
    };
    for (auto& [series, points] : m_points) {
        for (std::size_t from = 0; from < points.size(); from += kPerFrame) {
            const auto to = std::min(points.size(), from + kPerFrame);
            if (count + (to - from) > kPerFrame) emit();
            metrics.series.push_back({series,
                                      0,
                                      {points.begin() + static_cast<std::ptrdiff_t>(from),
                                       points.begin() + static_cast<std::ptrdiff_t>(to)}});
            count += to - from;
        }
    }
    emit();
    m_points.clear();
    m_left = now;
    m_due = now + kEvery;
}

} // namespace trainyard::train
