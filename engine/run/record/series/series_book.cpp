// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/series/series_book.h"

#include "engine/run/record/series/source_series.h"
#include "engine/run/record/series/system_series.h"

#include <algorithm>

namespace trainyard::run {
namespace {

constexpr std::size_t kTimedSteps = 1 << 14; // far more than ranks hold back before they tell of them

} // namespace

bool SeriesBook::isRepeat(const wire::Point& point, const Mark& last, bool byClock) {
    if (point.step != last.step) return point.step < last.step;
    return !byClock || point.seconds <= last.seconds;
}

wire::Metrics SeriesBook::accept(const wire::Metrics& metrics) {
    wire::Metrics delta;
    for (const auto& [series, first, points] : metrics.series) {
        auto& marks = m_series[series];
        const bool byClock = isSystemSeries(series);
        const bool isOwn = tellsOfTraining(series); // others may count their steps otherwise
        wire::SeriesPoints fresh{series, static_cast<std::int64_t>(marks.size()), {}};
        for (const auto& point : points) {
            if (!marks.empty() && isRepeat(point, marks.back(), byClock)) continue;
            fresh.points.push_back(point);
            if (isOwn) fresh.points.back().seconds = timeOf(point.step, point.seconds);
            marks.push_back({point.step, fresh.points.back().seconds, point.value});
        }
        if (!fresh.points.empty()) delta.series.push_back(std::move(fresh));
    }
    return delta;
}

// What was first told of the step, between the times of its neighbours.
double SeriesBook::timeOf(std::int64_t step, double told) {
    const auto after = m_times.lower_bound(step);
    if (after != m_times.end() && after->first == step) return after->second;
    double seconds = told;
    if (after != m_times.end()) seconds = std::min(seconds, after->second);
    if (after != m_times.begin()) seconds = std::max(seconds, std::prev(after)->second);
    m_times.emplace_hint(after, step, seconds);
    if (m_times.size() > kTimedSteps) m_times.erase(m_times.begin());
    return seconds;
}

void SeriesBook::load(const std::string& series, const std::vector<wire::Point>& points) {
    auto& marks = m_series[series];
    marks.clear();
    for (const auto& point : points) marks.push_back({point.step, point.seconds, point.value});
    if (!points.empty() && tellsOfTraining(series)) (void)timeOf(points.back().step, points.back().seconds);
}

void SeriesBook::rename(const std::string& from, const std::string& to) {
    auto entry = m_series.extract(from);
    if (!entry) return;
    entry.key() = to;
    m_series.erase(to);
    m_series.insert(std::move(entry));
}

void SeriesBook::rewind(std::int64_t step) {
    for (auto& [name, marks] : m_series)
        while (!marks.empty() && marks.back().step > step) marks.pop_back();
    m_times.erase(m_times.upper_bound(step), m_times.end());
}

double SeriesBook::secondsAt(std::int64_t step) const {
    double seconds = 0;
    for (const auto& [name, marks] : m_series) {
        if (!tellsOfTraining(name)) continue; // those of ranks go on while no step is made
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

std::map<std::string, double> SeriesBook::valuesAt(std::int64_t step) const {
    std::map<std::string, double> values;
    for (const auto& [name, marks] : m_series) {
        const auto after = std::ranges::upper_bound(marks, step, {}, &Mark::step);
        if (after != marks.begin()) values[name] = std::prev(after)->value;
    }
    return values;
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
