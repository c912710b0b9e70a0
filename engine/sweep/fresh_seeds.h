// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/event.h"

#include <set>
#include <utility>

namespace trainyard::sweep {

// The trials in which the best configurations of a search are trained with fresh seeds, `count` for each: those that
// follow the searched ones. The search has chosen its best by their first seed, which says too much good of them.
class FreshSeeds {
public:
    FreshSeeds(int searched, int trials, int count) : m_searched(searched), m_trials(trials), m_count(count) {}

    int searched() const { return m_searched; }
    int size() const { return m_trials - m_searched; }
    // Trials that a person adds have numbers beyond.
    bool contains(int trial) const { return trial >= m_searched && trial < m_trials; }
    bool isSearchOver() const { return m_over == m_searched; }
    // Of the searched trials.
    void take(const Event& event) {
        const auto kind = event.kind;
        if (kind == Event::Kind::Ended || kind == Event::Kind::Failed || kind == Event::Kind::Stopped) ++m_over;
        if (size() > 0 && event.kind == Event::Kind::Ended && std::isfinite(event.loss))
            m_ends.insert({event.loss, event.trial});
    }
    // The searched trial that a fresh one takes its parameters from, after the search; -1: there is none.
    int originOf(int trial) const {
        const auto place = static_cast<std::size_t>((trial - m_searched) / m_count);
        return place < m_ends.size() ? std::next(m_ends.begin(), static_cast<std::ptrdiff_t>(place))->second : -1;
    }

private:
    int m_searched, m_trials, m_count, m_over = 0;
    std::set<std::pair<double, int>> m_ends; // of equal ones the first
};

} // namespace trainyard::sweep
