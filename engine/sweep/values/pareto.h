// SPDX-License-Identifier: GPL-3.0-or-later
// Trials that are compared by two series: what beats what, for searcher, ranking, window and terminal. Losses are
// smaller where a trial is better; pairs with one that is not finite are left out everywhere.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace trainyard::sweep {

// What a trial loses in two ways.
struct LossPair {
    double first = 0, second = 0;
    bool isFinite() const;
    bool operator==(const LossPair&) const = default;
};

// Rule: which trial dominates another.
// Whether a is better than b in one way and no worse in the other.
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
// The trials, the best first: by their fronts; on one front by the hypervolume that it would lose without the trial,
// under the worst of each loss; then in their own order. O(n log n).
std::vector<std::size_t> bestFirst(std::span<const LossPair> trials);
// The place of each trial in that order, from 1; those of one front that are worth as much to it have the same. 0: it
// is left out.
std::vector<int> placesOf(std::span<const LossPair> trials);

} // namespace trainyard::sweep
