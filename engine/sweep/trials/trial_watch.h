// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/attach/run_follower.h"

#include <iterator>
#include <map>
#include <vector>

namespace trainyard::sweep {

// The two series that rank a trial, as points arrive: each value of the first with the newest of the second up to the
// same t, once the second has reached it. So a pair does not depend on which series is read sooner.
class PairedSeries {
public:
    struct Pair {
        double t = 0, first = 0, second = 0;
    };

    void addFirst(double t, double value) { m_first[t] = value; }
    void addSecond(double t, double value) { m_second[t] = value; }
    // Pairs completed since the last call, by t. Drops a first value without a second one up to it.
    std::vector<Pair> take() {
        std::vector<Pair> pairs;
        while (!m_first.empty() && !m_second.empty() && m_first.begin()->first <= m_second.rbegin()->first) {
            const auto [t, value] = *m_first.begin();
            m_first.erase(m_first.begin());
            const auto later = m_second.upper_bound(t);
            if (later == m_second.begin()) continue;
            m_second.erase(m_second.begin(), std::prev(later));
            pairs.push_back({t, value, m_second.begin()->second});
        }
        return pairs;
    }

private:
    std::map<double, double> m_first, m_second; // by t
};

// Reads some series of a trial as it measures them.
class TrialWatch {
public:
    struct Measure {
        std::size_t series = 0;  // index of those that are watched
        double t = 0, value = 0; // t in epochs or steps
    };
    // From the run's first point on.
    static Result<TrialWatch> open(const store::Workspace& workspace, const std::string& run,
                                   std::vector<std::string> series, bool epochs);

    // New measurements, without waiting. After a restart, a repeated point comes again.
    Result<std::vector<Measure>> read();
    // Whether the run does not measure the first series: it has no point, but others of its group (the name before the
    // slash) had one at `t` or later by an earlier read.
    bool misses(double t) const;
    // The names of all series that the run has measured.
    std::vector<std::string> measured() const;
    bool ended() const { return m_ended; }      // the run is over, and all of it was read
    int fd() const { return m_follower->fd(); } // readable when there is something; -1: look again later
    PairedSeries& pairs() { return m_pairs; }   // of a sweep whose trials are compared by two series

private:
    TrialWatch(std::unique_ptr<run::RunFollower> follower, std::vector<std::string> series, bool epochs)
        : m_follower(std::move(follower)), m_series(std::move(series)), m_epochs(epochs) {}

    std::unique_ptr<run::RunFollower> m_follower;
    std::vector<std::string> m_series;
    bool m_epochs;
    std::map<std::string, double> m_reached, m_reachedBefore; // t of the newest point of each series
    PairedSeries m_pairs;
    bool m_ended = false;
};

} // namespace trainyard::sweep
