// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/metrics/rank_points.h"

#include <algorithm>

namespace trainyard::program {

std::optional<RankPolicy> rankPolicyOf(std::string_view word) {
    if (word == "0") return RankPolicy::First;
    if (word == "mean") return RankPolicy::Mean;
    if (word == "each") return RankPolicy::Each;
    return std::nullopt;
}

void RankPoints::add(int rank, std::string_view series, const imports::Point& point, double now,
                     std::vector<SeriesPoint>& out) {
    switch (m_policy) {
    case RankPolicy::First:
        if (rank == 0) out.push_back({std::string(series), point});
        return;
    case RankPolicy::Each: out.push_back({"rank" + std::to_string(rank) + "/" + std::string(series), point}); return;
    case RankPolicy::Mean: return addToMean(rank, series, point, now, out);
    }
}

void RankPoints::addToMean(int rank, std::string_view name, const imports::Point& point, double now,
                           std::vector<SeriesPoint>& out) {
    auto known = m_series.find(name);
    if (known == m_series.end()) {
        if (m_series.size() == ProgramSources::kMostSeries) return;
        known = m_series.emplace(name, Series{}).first;
    }
    Series& series = known->second;
    if (point.step <= series.told) {
        // A program that begins again, or a rank that comes too late: the first rank decides.
        if (rank != 0 || point.step == series.told) return;
        m_waiting -= series.steps.size();
        series = {.told = point.step - 1};
    }
    Step& step = series.steps[point.step];
    if (step.ranks.empty()) {
        step.since = now;
        step.point = point;
        ++m_waiting;
    } else if (!step.ranks.contains(rank)) {
        step.point.value += point.value;
    }
    step.ranks.insert(rank);
    if (std::ssize(step.ranks) >= m_ranks) tell(known->first, series, point.step, out);
    else if (m_waiting > kMostWaiting) tell(known->first, series, series.steps.begin()->first, out);
}

void RankPoints::tell(const std::string& name, Series& series, std::int64_t upTo, std::vector<SeriesPoint>& out) {
    while (!series.steps.empty() && series.steps.begin()->first <= upTo) {
        Step& step = series.steps.begin()->second;
        step.point.value /= static_cast<double>(step.ranks.size());
        out.push_back({name, step.point});
        series.told = step.point.step;
        series.steps.erase(series.steps.begin());
        --m_waiting;
    }
}

void RankPoints::tick(double now, std::vector<SeriesPoint>& out) {
    for (auto& [name, series] : m_series) {
        std::optional<std::int64_t> upTo;
        for (const auto& [at, step] : series.steps)
            if (now - step.since >= kWaitSeconds) upTo = at;
        if (upTo) tell(name, series, *upTo, out);
    }
}

void RankPoints::settle(std::vector<SeriesPoint>& out) {
    for (auto& [name, series] : m_series)
        for (auto& [at, step] : series.steps) {
            if (!step.ranks.contains(0)) continue;
            step.point.value /= static_cast<double>(step.ranks.size());
            out.push_back({name, step.point});
        }
    restarted(m_ranks);
}

std::optional<double> RankPoints::nextTick() const {
    std::optional<double> next;
    for (const auto& [name, series] : m_series)
        for (const auto& [at, step] : series.steps)
            next = std::min(next.value_or(step.since + kWaitSeconds), step.since + kWaitSeconds);
    return next;
}

void RankPoints::restarted(int ranks) {
    m_ranks = ranks;
    m_series.clear();
    m_waiting = 0;
}

} // namespace trainyard::program
