// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/series_book.h"

#include "engine/run/record/system_series.h"

#include <algorithm>

namespace trainyard::run {

bool SeriesBook::isRepeat(const wire::Point& point, const Mark& last, bool byClock) {
    if (point.step != last.step) return point.step < last.step;
    return !byClock || point.seconds <= last.seconds;
}

wire::MetricsDelta SeriesBook::accept(const wire::Metrics& metrics) {
    wire::MetricsDelta delta;
    for (const auto& [series, points] : metrics.series) {
        auto& marks = m_series[series];
        const bool byClock = isSystemSeries(series);
        wire::SeriesDelta fresh{series, static_cast<std::int64_t>(marks.size()), {}};
        for (const auto& point : points) {
            if (!marks.empty() && isRepeat(point, marks.back(), byClock)) continue;
            marks.push_back({point.step, point.seconds, point.value});
            fresh.points.push_back(point);
        }
        if (!fresh.points.empty()) delta.series.push_back(std::move(fresh));
    }
    return delta;
}

void SeriesBook::load(const std::string& series, const std::vector<wire::Point>& points) {
    auto& marks = m_series[series];
    marks.clear();
    for (const auto& point : points) marks.push_back({point.step, point.seconds, point.value});
}

void SeriesBook::rewind(std::int64_t step) {
    for (auto& [name, marks] : m_series)
        while (!marks.empty() && marks.back().step > step) marks.pop_back();
}

double SeriesBook::secondsAt(std::int64_t step) const {
    double seconds = 0;
    for (const auto& [name, marks] : m_series) {
        if (isSystemSeries(name)) continue; // they go on while no step is made
        const auto after = std::upper_bound(marks.begin(), marks.end(), step,
                                            [](std::int64_t wanted, const Mark& mark) { return wanted < mark.step; });
        if (after != marks.begin()) seconds = std::max(seconds, std::prev(after)->seconds);
    }
    return seconds;
}

std::int64_t SeriesBook::count(const std::string& series) const {
    const auto found = m_series.find(series);
    return found == m_series.end() ? 0 : static_cast<std::int64_t>(found->second.size());
}

std::map<std::string, double> SeriesBook::lastValues() const {
    std::map<std::string, double> values;
    for (const auto& [name, marks] : m_series)
        if (!marks.empty()) values[name] = marks.back().value;
    return values;
}

std::map<std::string, std::int64_t> SeriesBook::lastSteps() const {
    std::map<std::string, std::int64_t> steps;
    for (const auto& [name, marks] : m_series)
        if (!marks.empty()) steps[name] = marks.back().step;
    return steps;
}

} // namespace trainyard::run
