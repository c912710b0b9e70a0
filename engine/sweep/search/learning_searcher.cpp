// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/search/learning_searcher.h"

#include <algorithm>
#include <utility>

namespace trainyard::sweep {
namespace {

constexpr int kRedraws = 32; // of a point that was tried already

} // namespace

// A rung is learned from once it has max(10, axes + 2) losses (Falkner and others 2018), or as many as are asked for.
LearningSearcher::LearningSearcher(const SearcherFrame& frame, std::size_t startup)
    : m_space(frame.spec),
      m_history(m_space, frame.rungs, std::max(startup, frame.spec.space.size() + 2), frame.spec.second.has_value()),
      m_startup(startup), m_seed(static_cast<std::uint64_t>(frame.spec.seed)), m_randomEvery(frame.randomEvery) {
    for (const auto& earlier : frame.spec.warmStart) m_history.recall(earlier);
}

void LearningSearcher::setSpace(const std::vector<spec::Axis>& space) {
    const Space before = std::exchange(m_space, m_space.with(space));
    m_history.moveFrom(before);
}

Suggestion LearningSearcher::suggest(int trial) const {
    DrawStream draws(m_seed, Draw::Candidate, static_cast<std::uint64_t>(trial));
    const bool atRandom =
        m_history.level().size() < m_startup || (m_randomEvery > 0 && trial % m_randomEvery == m_randomEvery - 1);
    Suggestion suggestion;
    Point point;
    for (int redraw = 0; redraw <= kRedraws; ++redraw) {
        point = atRandom || redraw > 0 ? m_space.randomPoint(trial, redraw)
                                       : m_space.settled(propose(trial, draws, suggestion.memo), trial);
        if (!m_history.points().contains(point)) break;
    }
    if (m_history.points().contains(point)) point = m_space.firstFree(trial, m_history.points(), std::move(point));
    suggestion.params = m_space.paramsOf(point);
    return suggestion;
}

} // namespace trainyard::sweep
