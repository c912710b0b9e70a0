// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/journal/rank_curves.h"

#include "engine/run/record/series/source_series.h"

#include <algorithm>
#include <unordered_map>

namespace trainyard::run {
namespace {

constexpr double kNothingDue = std::numeric_limits<double>::infinity();

wire::Metrics metricsOf(const std::vector<program::SeriesPoint>& points) {
    wire::Metrics metrics;
    std::unordered_map<std::string, std::size_t> places;
    for (const auto& [series, point] : points) {
        const auto [place, isNew] = places.try_emplace(series, metrics.series.size());
        if (isNew) metrics.series.push_back({series, 0, {}});
        metrics.series[place->second].points.push_back({point.step, point.epoch, point.wallSeconds, point.value});
    }
    return metrics;
}

} // namespace

void RankCurves::begin(const std::string& policy, int ranks) {
    m_policy = program::rankPolicyOf(policy).value_or(program::RankPolicy::First);
    m_ranks = ranks;
    m_points = program::RankPoints(m_policy, ranks);
    m_due = kNothingDue;
}

wire::Metrics RankCurves::add(int rank, const wire::Metrics& metrics, double now) {
    if (m_policy == program::RankPolicy::First) return rank == 0 ? metrics : wire::Metrics{};
    wire::Metrics all;
    std::vector<program::SeriesPoint> joined;
    for (const auto& series : metrics.series) {
        const auto source = sourceOf(series.series);
        if (source && (!m_feeding || source->kind < *m_feeding)) {
            if (m_feeding) {
                all.series.push_back({sourceSeries(*m_feeding, {}), 0, {}}); // set aside what there is
                m_points.settle(joined);
                for (auto& [name, point] : joined) name = sourceSeries(*m_feeding, name);
                const auto beside = metricsOf(joined);
                all.series.insert(all.series.end(), beside.series.begin(), beside.series.end());
            }
            m_feeding = source->kind;
            m_points.restarted(m_ranks);
            joined.clear();
        }
        if (source && source->kind != *m_feeding) {
            if (rank == 0 && !series.points.empty()) all.series.push_back(series);
            continue;
        }
        for (const auto& point : series.points)
            m_points.add(rank, source ? source->name : series.series,
                         {.step = point.step, .wallSeconds = point.seconds, .value = point.value, .epoch = point.epoch},
                         now, joined);
    }
    if (m_policy == program::RankPolicy::Mean) m_due = std::min(m_due, now + program::RankPoints::kWaitSeconds);
    auto curves = metricsOf(joined);
    all.series.insert(all.series.end(), curves.series.begin(), curves.series.end());
    return all;
}

wire::Metrics RankCurves::due(double now) {
    if (now < m_due) return {};
    std::vector<program::SeriesPoint> joined;
    m_points.tick(now, joined);
    m_due = m_points.nextTick().value_or(kNothingDue);
    return metricsOf(joined);
}

wire::Metrics RankCurves::rest() { return due(kNothingDue); }

} // namespace trainyard::run
