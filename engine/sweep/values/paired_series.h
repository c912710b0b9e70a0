// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace trainyard::sweep
