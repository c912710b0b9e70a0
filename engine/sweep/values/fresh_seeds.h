// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/values/event.h"
#include "engine/sweep/values/pareto.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace trainyard::sweep {

// The trials after the searched ones, which train the best configurations with fresh seeds: the first seed, which
// won the search, is biased upwards.
class FreshSeeds {
public:
    struct Counts {
        int searched = 0, trials = 0; // all of them
        int seeds = 1;                // of each of the best
    };
    // `paired`: two series rank the trials.
    FreshSeeds(const Counts& counts, bool paired)
        : m_searched(counts.searched), m_trials(counts.trials), m_count(counts.seeds), m_paired(paired) {}

    int searched() const { return m_searched; }
    int size() const { return m_trials - m_searched; }
    // Trials that a person adds have higher numbers.
    bool contains(int trial) const { return trial >= m_searched && trial < m_trials; }
    bool isSearchOver() const { return m_over == m_searched; }
    // Of the searched trials.
    void take(const Event& event) {
        const auto kind = event.kind;
        if (kind == Event::Kind::Ended || kind == Event::Kind::Failed || kind == Event::Kind::Stopped) ++m_over;
        const LossPair losses{event.loss, m_paired ? event.second : 0};
        if (size() > 0 && event.kind == Event::Kind::Ended && losses.isFinite())
            m_ends.push_back({losses, event.trial});
        if (isSearchOver()) sort();
    }
    // The searched trial that gives a fresh one its parameters, after the search; -1: none.
    int originOf(int trial) const {
        const auto place = static_cast<std::size_t>((trial - m_searched) / m_count);
        return place < m_ends.size() ? m_ends[place].second : -1;
    }

private:
    using End = std::pair<LossPair, int>; // a trial with its losses

    // The best first, of equal ones the first trial.
    void sort() {
        std::sort(m_ends.begin(), m_ends.end(), [this](const End& a, const End& b) {
            return m_paired || a.first.first == b.first.first ? a.second < b.second : a.first.first < b.first.first;
        });
        if (!m_paired) return;
        std::vector<LossPair> losses;
        for (const End& end : m_ends) losses.push_back(end.first);
        std::vector<End> sorted;
        for (const std::size_t index : bestFirst(losses)) sorted.push_back(m_ends[index]);
        m_ends = std::move(sorted);
    }

    int m_searched, m_trials, m_count, m_over = 0;
    bool m_paired;
    std::vector<End> m_ends; // in their order once the search is over
};

} // namespace trainyard::sweep
