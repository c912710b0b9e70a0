// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iterator>
#include <map>
#include <vector>

namespace trainyard::sweep {

// The two series by which a trial is compared, as they come: each value of the first with the newest of the second up
// to the same t, once the second has come that far. So a pair does not depend on which of the two is read sooner.
class PairedSeries {
public:
    struct Pair {
        double t = 0, first = 0, second = 0;
    };

    void addFirst(double t, double value) { m_first[t] = value; }
    void addSecond(double t, double value) { m_second[t] = value; }
    // What is complete since the last call, by t. A first value with no second one up to it is dropped.
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
