// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/trial_watch.h"

#include <algorithm>
#include <cmath>

namespace trainyard::sweep {
namespace {

// The end of an epoch, which is added up from its batches.
double withoutRounding(double t) {
    const double whole = std::round(t);
    return std::abs(t - whole) < 1e-6 ? whole : t;
}

std::string_view groupOf(std::string_view series) { return series.substr(0, series.find('/')); }

} // namespace

Result<TrialWatch> TrialWatch::open(const store::Workspace& workspace, const std::string& run,
                                    std::vector<std::string> series, bool epochs) {
    TY_ASSIGN(auto follower, run::RunFollower::open(workspace, run));
    return TrialWatch(std::move(follower), std::move(series), epochs);
}

Result<std::vector<TrialWatch::Measure>> TrialWatch::read() {
    TY_ASSIGN(const auto update, m_follower->poll(0));
    m_reachedBefore = m_reached;
    std::vector<Measure> measures;
    for (const auto& delta : update.points) {
        const auto tOf = [&](const wire::Point& point) {
            return withoutRounding(m_epochs ? point.epoch : static_cast<double>(point.step));
        };
        if (!delta.points.empty()) m_reached[delta.series] = tOf(delta.points.back());
        for (std::size_t index = 0; index < m_series.size(); ++index)
            if (m_series[index] == delta.series)
                for (const auto& point : delta.points) measures.push_back({index, tOf(point), point.value});
    }
    // It is told once, and may come before the row of the run is read as that of one that has ended.
    if (update.ended) m_ended = true;
    else if (update.state && wire::isActive(update.state->status)) m_ended = false; // a new supervisor has it
    return measures;
}

bool TrialWatch::misses(double t) const {
    const std::string& wanted = m_series.front();
    if (m_reached.contains(wanted)) return false;
    return std::any_of(m_reachedBefore.begin(), m_reachedBefore.end(),
                       [&](const auto& each) { return each.second >= t && groupOf(each.first) == groupOf(wanted); });
}

std::vector<std::string> TrialWatch::measured() const {
    std::vector<std::string> names;
    for (const auto& [series, t] : m_reached) names.push_back(series);
    return names;
}

} // namespace trainyard::sweep
