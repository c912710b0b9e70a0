// SPDX-License-Identifier: GPL-3.0-or-later
// Losses in order, with their places and quantiles in O(log n). Only for the schedulers.
#pragma once

#include <algorithm>
#include <cmath>
#include <ext/pb_ds/assoc_container.hpp>
#include <ext/pb_ds/tree_policy.hpp>
#include <functional>
#include <limits>
#include <utility>

namespace trainyard::sweep {

// Of equal losses the one that came first is the better one.
class LossSet {
public:
    using Key = std::pair<double, int>; // loss, and how many came before

    Key add(double loss) {
        const Key key{loss, static_cast<int>(m_keys.size())};
        m_keys.insert(key);
        return key;
    }
    int size() const { return static_cast<int>(m_keys.size()); }
    // How many are better.
    int before(const Key& key) const { return static_cast<int>(m_keys.order_of_key(key)); }
    // The place that a loss would have that comes now, from 1.
    int placeOf(double loss) const { return 1 + before({loss, std::numeric_limits<int>::max()}); }
    // The loss below which this share of all lies, linear between neighbours; there must be one.
    double quantile(double share) const {
        const double at = share * (size() - 1);
        const auto lower = static_cast<std::size_t>(at), upper = std::min(lower + 1, m_keys.size() - 1);
        const double low = m_keys.find_by_order(lower)->first, high = m_keys.find_by_order(upper)->first;
        return low + (at - std::floor(at)) * (high - low);
    }
    double worst() const { return m_keys.empty() ? 0 : std::prev(m_keys.end())->first; }

private:
    __gnu_pbds::tree<Key, __gnu_pbds::null_type, std::less<Key>, __gnu_pbds::rb_tree_tag,
                     __gnu_pbds::tree_order_statistics_node_update>
        m_keys;
};

} // namespace trainyard::sweep
