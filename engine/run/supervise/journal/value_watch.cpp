// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/journal/value_watch.h"

#include "engine/base/text/amounts.h"
#include "engine/run/record/series/source_series.h"
#include "engine/spec/run/better.h"
#include "engine/spec/values/value_json.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

namespace trainyard::run {
namespace {

bool isLoss(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char each) { return std::tolower(each); });
    return name.find("loss") != name.npos;
}

const char* wordOf(double value) { return std::isnan(value) ? "NaN" : value > 0 ? "infinite" : "minus infinity"; }

} // namespace

ValueWatch::ValueWatch(const spec::RunSpec& program)
    : m_isOn(true), m_nonFinite(program.failure.nonFinite), m_scoreBy(program.checkpoint.scoreBy),
      m_earlyStop(program.earlyStop) {}

void ValueWatch::load(const std::string& series, const std::vector<wire::Point>& points) {
    if (!m_isOn || series != m_earlyStop.metric) return;
    for (const auto& point : points) judge(point);
    if (!m_course.empty() && m_course.back().worse >= m_earlyStop.patience) m_course.back().worse = 0;
}

void ValueWatch::add(const std::vector<wire::SeriesPoints>& curves) {
    if (!m_isOn) return;
    for (const auto& each : curves)
        for (const auto& point : each.points) look(each.series, point);
}

void ValueWatch::look(const std::string& series, const wire::Point& point) {
    if (!std::isfinite(point.value) && tellsOfTraining(series)) {
        const bool counts = series == m_scoreBy || series == m_earlyStop.metric || isLoss(series);
        const bool acts = counts && m_nonFinite != "warn";
        const auto text = series + " is " + wordOf(point.value);
        if (acts) m_found.push_back({What::Diverged, text, point.step}); // a failure is told with its step
        else if (m_told.insert(series).second)
            m_found.push_back({What::NotFinite, text + " at step " + grouped(point.step), point.step});
    }
    if (series != m_earlyStop.metric || m_stoppedEarly) return;
    judge(point);
    if (m_course.back().worse < m_earlyStop.patience) return;
    m_stoppedEarly = true;
    m_found.push_back({What::StopsEarly,
                       "stopped early: " + series + " has not been better than " +
                           spec::toText(spec::Value(m_course.back().value)) + " in " +
                           std::to_string(m_course.back().worse) + " points",
                       point.step});
}

void ValueWatch::judge(const wire::Point& point) {
    const auto better = spec::betterOf(m_earlyStop.metric, m_earlyStop.mode);
    Best next{point.step, point.value, 0};
    if (!m_course.empty()) {
        const Best& before = m_course.back();
        const bool isBetter = std::isfinite(before.value)
                                  ? spec::gain(better, point.value, before.value) > m_earlyStop.minDelta
                                  : std::isfinite(point.value);
        if (!isBetter) next = {point.step, before.value, before.worse + 1};
    }
    m_course.push_back(next);
}

void ValueWatch::rewind(std::int64_t step) {
    while (!m_course.empty() && m_course.back().step > step) m_course.pop_back();
    std::erase_if(m_found, [step](const Finding& found) { return found.step > step; });
}

std::optional<ValueWatch::Finding> ValueWatch::take() {
    if (m_found.empty()) return std::nullopt;
    auto first = std::move(m_found.front());
    m_found.erase(m_found.begin());
    return first;
}

} // namespace trainyard::run
