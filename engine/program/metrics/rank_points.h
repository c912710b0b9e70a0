// SPDX-License-Identifier: GPL-3.0-or-later
// What the ranks of a program say of the same step, as points of one run.
#pragma once

#include "engine/program/metrics/program_sources.h"

#include <map>
#include <set>

namespace trainyard::program {

// The run file's metrics.ranks: "0", "mean", "each".
enum class RankPolicy { First, Mean, Each };
std::optional<RankPolicy> rankPolicyOf(std::string_view word); // nothing for another word

// Rule: which point follows from those of all ranks.
// First: that of rank 0. Each: all, as rank0/loss and so on. Mean: of a step, once every rank has told it or five
// seconds have passed; a later step of a series is never told before an earlier one. A value: the time is given.
class RankPoints {
public:
    static constexpr double kWaitSeconds = 5;
    static constexpr std::size_t kMostWaiting = 100'000; // steps of series; then the oldest is told as it is

    RankPoints(RankPolicy policy, int ranks) : m_policy(policy), m_ranks(ranks) {}

    // `now` in seconds of any clock that does not go back. Appends what is complete to `out`.
    void add(int rank, std::string_view series, const imports::Point& point, double now, std::vector<SeriesPoint>& out);
    // What has waited long enough.
    void tick(double now, std::vector<SeriesPoint>& out);
    // Nobody waits any longer: what the first rank has told, as the mean of those that have. The rest is void.
    void settle(std::vector<SeriesPoint>& out);
    // When the next one will have; nothing waits: none.
    std::optional<double> nextTick() const;
    // The program was started again, perhaps with another number of ranks. What waited is void.
    void restarted(int ranks);

private:
    struct Step {
        imports::Point point{}; // its value is the sum
        std::set<int> ranks{};
        double since = 0;
    };
    struct Series {
        std::map<std::int64_t, Step> steps{};
        std::int64_t told = -1; // the last step that was
    };

    void addToMean(int rank, std::string_view series, const imports::Point& point, double now,
                   std::vector<SeriesPoint>& out);
    // Up to this step.
    void tell(const std::string& name, Series& series, std::int64_t upTo, std::vector<SeriesPoint>& out);

    RankPolicy m_policy;
    int m_ranks;
    std::map<std::string, Series, std::less<>> m_series{};
    std::size_t m_waiting = 0;
};

} // namespace trainyard::program
