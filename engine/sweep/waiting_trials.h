// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/event.h"

#include <deque>

namespace trainyard::sweep {

// Trials that were added and not started, in their order. Part of every scheduler.
class WaitingTrials {
public:
    void add(int trial) { m_trials.push_back(trial); }
    bool empty() const { return m_trials.empty(); }
    // The order to start the next one; empty when there is none.
    std::vector<Order> start() {
        if (m_trials.empty()) return {};
        const Order order{Order::Kind::Start, m_trials.front()};
        m_trials.pop_front();
        return {order};
    }
    const std::deque<int>& trials() const { return m_trials; }

private:
    std::deque<int> m_trials;
};

} // namespace trainyard::sweep
