// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/unstored_points.h"

#include <algorithm>

namespace trainyard::train {

void thinOut(std::vector<wire::Point>& points) {
    std::vector<wire::Point> kept;
    kept.reserve(points.size() / 2 + 1);
    for (std::size_t i = points.size() % 2 == 0 ? 1 : 0; i < points.size(); i += 2) kept.push_back(points[i]);
    points = std::move(kept);
}

void UnstoredPoints::add(const std::string& series, const wire::Point& point) {
    auto& points = m_series[series];
    if (points.size() >= kPointsKept) thinOut(points);
    points.push_back(point);
    ++m_added;
    if (m_marks.empty() || m_marks.back().step < point.step) m_marks.push_back({point.step, m_added});
    else m_marks.back().added = m_added;
}

void UnstoredPoints::storedBefore(std::int64_t step) {
    for (; !m_marks.empty() && m_marks.front().step < step; m_marks.pop_front()) m_stored = m_marks.front().added;
    for (auto& [name, points] : m_series) {
        const auto later =
            std::find_if(points.begin(), points.end(), [step](const auto& point) { return point.step >= step; });
        points.erase(points.begin(), later);
    }
    std::erase_if(m_series, [](const auto& each) { return each.second.empty(); });
}

void UnstoredPoints::voidAfter(std::int64_t step) {
    for (; !m_marks.empty() && m_marks.back().step > step; m_marks.pop_back()) {}
    for (auto& [name, points] : m_series)
        std::erase_if(points, [step](const auto& point) { return point.step > step; });
    std::erase_if(m_series, [](const auto& each) { return each.second.empty(); });
}

} // namespace trainyard::train
