// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/values/event.h"

#include <set>

namespace trainyard::sweep {

// Added trials that have not started, in order; enqueued ones come first. Part of every scheduler, which passes it
// every event.
class WaitingTrials {
public:
    void take(const Event& event) {
        if (event.kind == Event::Kind::Added) (event.enqueued ? m_first : m_trials).insert(event.trial);
        else if (event.kind == Event::Kind::Stopped) { // it is not wanted any more
            m_first.erase(event.trial);
            m_trials.erase(event.trial);
        }
    }
    bool empty() const { return m_first.empty() && m_trials.empty(); }
    bool contains(int trial) const { return m_first.contains(trial) || m_trials.contains(trial); }
    // The order to start the next one; empty when there is none.
    std::vector<Order> start() {
        if (empty()) return {};
        auto& from = m_first.empty() ? m_trials : m_first;
        const Order order{Order::Kind::Start, *from.begin()};
        from.erase(from.begin());
        return {order};
    }
    std::vector<int> trials() const {
        std::vector<int> list(m_first.begin(), m_first.end());
        list.insert(list.end(), m_trials.begin(), m_trials.end());
        return list;
    }

private:
    std::set<int> m_first, m_trials; // the lowest number is the oldest
};

} // namespace trainyard::sweep
