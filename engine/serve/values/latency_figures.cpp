// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/values/latency_figures.h"

#include <algorithm>
#include <cmath>

namespace trainyard::serve {
namespace {

constexpr double kFirstBoundMs = 0.05, kWider = 1.25;

} // namespace

double LatencyFigures::boundMs(std::size_t bucket) {
    return kFirstBoundMs * std::pow(kWider, static_cast<double>(bucket));
}

void LatencyFigures::add(double now, double ms) {
    const double at = std::ceil(std::log(std::max(ms, kFirstBoundMs) / kFirstBoundMs) / std::log(kWider) - 1e-9);
    const auto bucket = static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(kBounds)));
    const auto second = static_cast<std::int64_t>(now);
    Second& recent = m_recent[static_cast<std::size_t>(second) % kSeconds];
    if (recent.at != second) recent = {second, {}};
    ++recent.counts[bucket];
    ++m_all[bucket];
    ++m_total;
    m_sumMs += ms;
    if (m_first < 0) m_first = second;
}

double LatencyFigures::perSecond(double now) const {
    const auto second = static_cast<std::int64_t>(now);
    std::int64_t count = 0;
    for (const Second& each : m_recent)
        if (each.at > second - static_cast<std::int64_t>(kSeconds))
            for (const auto number : each.counts) count += number;
    const auto since = m_first < 0 ? 0 : second - m_first;
    const auto seconds = std::clamp<std::int64_t>(since, 1, kSeconds);
    return static_cast<double>(count) / static_cast<double>(seconds);
}

double LatencyFigures::quantileMs(double now, double quantile) const {
    const auto second = static_cast<std::int64_t>(now);
    std::array<std::int64_t, kBounds + 1> sums{};
    std::int64_t total = 0;
    for (const Second& each : m_recent)
        if (each.at > second - static_cast<std::int64_t>(kSeconds))
            for (std::size_t i = 0; i < sums.size(); ++i) {
                sums[i] += each.counts[i];
                total += each.counts[i];
            }
    if (total == 0) return 0;
    const double wanted = quantile * static_cast<double>(total);
    std::int64_t seen = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        seen += sums[i];
        if (static_cast<double>(seen) >= wanted) return boundMs(i);
    }
    return boundMs(kBounds);
}

LatencyCounts LatencyFigures::counts() const {
    LatencyCounts counts;
    for (std::size_t i = 0; i < kBounds; ++i) counts.boundsMs.push_back(boundMs(i));
    counts.counts.assign(m_all.begin(), m_all.end());
    return counts;
}

} // namespace trainyard::serve
