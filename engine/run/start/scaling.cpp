// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/start/scaling.h"

#include "engine/run/start/run_start.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace trainyard::run {
namespace {

constexpr double kNearly = 0.95; // of the fastest count's speed

std::string timesText(double factor) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2g", factor);
    return text;
}

std::string workersText(int workers) { return std::to_string(workers) + (workers == 1 ? " worker" : " workers"); }

} // namespace

std::vector<int> scalingCounts(int most) {
    std::vector<int> counts;
    for (int count = 1; count < most; count *= 2) counts.push_back(count);
    counts.push_back(std::max(1, most));
    return counts;
}

Result<BriefTimes> measureWorkers(spec::RunSpec spec, int workers, const BriefLimits& limits,
                                  const std::function<bool()>& interrupted) {
    spec.scaling.workers = workers;
    spec.scaling.elastic = {};
    TY_ASSIGN(spec, validated(std::move(spec), "the run with " + workersText(workers)));
    return measureBriefly(std::move(spec), limits, interrupted);
}

ScalingAdvice scalingAdvice(const std::vector<ScalingPoint>& card) {
    const auto fastest = std::max_element(card.begin(), card.end(), [](const auto& a, const auto& b) {
        return a.times.samplesPerSecond < b.times.samplesPerSecond;
    });
    const double enough = kNearly * fastest->times.samplesPerSecond;
    const ScalingPoint* best = &*fastest;
    for (const auto& point : card)
        if (point.times.samplesPerSecond >= enough && point.times.workers < best->times.workers) best = &point;
    const int first = card.front().times.workers;
    ScalingAdvice advice{best->times.workers, "use " + workersText(best->times.workers)};
    if (card.size() == 1) advice.text += ": no other count was measured";
    else if (best->times.workers == first) advice.text += ": more workers are not faster";
    else
        advice.text += ": " + timesText(best->speedUp) + " times as fast as " + workersText(first) +
                       ", at an efficiency of " + std::to_string(std::lround(100 * best->efficiency)) + "%";
    // Why more of them do not help, where more were tried.
    const auto more = std::find_if(card.begin(), card.end(), [&](const auto& point) {
        return point.times.workers > best->times.workers && point.binds != "computing";
    });
    if (more != card.end())
        advice.text += "; with " + workersText(more->times.workers) + " the limit is " + more->binds;
    if (std::any_of(card.begin(), card.end(), [](const auto& point) { return point.times.wasDisturbed(); }))
        advice.text += ". Other programs used the cores meanwhile: measure again without them";
    return advice;
}

} // namespace trainyard::run
