// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of trials by two series, for searcher, ranking, window and terminal. Smaller losses are better; pairs
// with a value that is not finite are left out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace trainyard::sweep {

// A trial's losses in two series.
struct LossPair {
    double first = 0, second = 0;
    bool isFinite() const;
    bool operator==(const LossPair&) const = default;
};

// Rule: which trial dominates another.
// Whether a is better than b in one loss and no worse in the other.
bool dominates(const LossPair& a, const LossPair& b);

// The trials that no other one dominates.
struct ParetoFront {
    std::vector<std::size_t> indices; // by their first loss; of equal trials the first one
    LossPair reference;               // the worst of each loss, of all trials
    double hypervolume = 0;           // of what is worse than the front and better than the reference
};
ParetoFront paretoOf(std::span<const LossPair> trials);

// The front of each trial (Deb and others 2002, doi 10.1109/4235.996017): 0 where none dominates it, 1 where only those
// of front 0 do, and so on; -1: it is left out. O(n log n).
std::vector<int> frontsOf(std::span<const LossPair> trials);

// Rule: how pairs of losses are ordered.
// Indices of the trials, best first: by front; within a front by the hypervolume that it would lose without the trial,
// with the worst of each loss as reference; then by index. O(n log n).
std::vector<std::size_t> bestFirst(std::span<const LossPair> trials);
// The place of each trial in that order, from 1; trials of one front with equal contributions share a place. 0: left
// out.
std::vector<int> placesOf(std::span<const LossPair> trials);

} // namespace trainyard::sweep
