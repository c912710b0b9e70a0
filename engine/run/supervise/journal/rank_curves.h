// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/metrics/rank_points.h"
#include "engine/wire/messages.h"

#include <limits>

namespace trainyard::run {

// Joins what the ranks of a run report into the points of its curves, as the run file's metrics.ranks says. Ranks of
// Trainyard's own report through rank 0 alone. Those of a program name the source of each point, when all of them
// count (source_series.h): ranks may find a better source at different times, and its points alone are joined.
class RankCurves {
public:
    // A new group of so many ranks: what waits for one of the old group is void. An unknown word counts as "0".
    void begin(const std::string& policy, int ranks);

    // What follows from a rank's points, as rank 0 tells it where it alone counts. `now` in monotonic seconds.
    wire::Metrics add(int rank, const wire::Metrics& metrics, double now);
    wire::Metrics due(double now);           // what has waited long enough for the other ranks
    double nextDue() const { return m_due; } // infinity: nothing waits
    wire::Metrics rest();                    // the run ends: nothing waits any longer

private:
    program::RankPolicy m_policy = program::RankPolicy::First;
    int m_ranks = 1;
    program::RankPoints m_points{program::RankPolicy::First, 1};
    std::optional<program::SourceKind> m_feeding{}; // the best source that any rank has named
    double m_due = std::numeric_limits<double>::infinity();
};

} // namespace trainyard::run
