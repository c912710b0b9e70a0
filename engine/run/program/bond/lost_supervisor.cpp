// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/bond/lost_supervisor.h"

#include <algorithm>
#include <limits>

namespace trainyard::run {
namespace {

constexpr double kFirstPause = 0.25; // a user's own start may come first
constexpr double kRankPause = 1;     // for each rank before this one
constexpr double kLongestPause = 16; // between two starts
constexpr double kAloneSeconds = 60;
constexpr double kWindowSeconds = 600;
constexpr std::size_t kMostStarts = 5;

} // namespace

void LostSupervisor::lost(double now) {
    if (m_lostAt) return;
    m_lostAt = now;
    m_pause = 1;
    m_startDue = now + kFirstPause + kRankPause * m_rank;
}

LostSupervisor::Action LostSupervisor::next(double now) {
    if (!m_lostAt || m_isGivenUp) return Action::Wait;
    if (now - *m_lostAt >= kAloneSeconds) {
        m_isGivenUp = true;
        return Action::GiveUp;
    }
    if (!m_mayStart || now < m_startDue || !maySpend(now)) return Action::Wait;
    return Action::Start;
}

bool LostSupervisor::maySpend(double now) {
    while (!m_starts.empty() && now - m_starts.front() >= kWindowSeconds) m_starts.pop_front();
    return m_starts.size() < kMostStarts;
}

void LostSupervisor::started(double now) {
    m_starts.push_back(now);
    m_startDue = now + m_pause;
    m_pause = std::min(2 * m_pause, kLongestPause);
}

void LostSupervisor::taken(double now) { m_startDue = now + kRankPause; }

double LostSupervisor::due() const {
    if (!m_lostAt || m_isGivenUp) return std::numeric_limits<double>::infinity();
    const double end = *m_lostAt + kAloneSeconds;
    const bool starts = m_mayStart && m_starts.size() < kMostStarts;
    return starts ? std::min(end, m_startDue) : end;
}

} // namespace trainyard::run
