// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/event.h"

#include <deque>
#include <map>

namespace trainyard::sweep {

// Trials that are halved together: at each rung they pause until all have arrived; then the best ⌈n/factor⌉ continue
// and the others are stopped. A trial that ends or fails is no longer waited for.
class SyncBracket {
public:
    // `rule` is the scheduler's name, for the reasons.
    SyncBracket(std::string rule, std::vector<double> rungs, double factor)
        : m_rule(std::move(rule)), m_rungs(std::move(rungs)), m_factor(factor) {}

    void add(int trial) { m_live[trial] = {}; }
    bool anyReady() const { return !m_ready.empty(); }
    // A report at or after the next rung, one before it, or one of a trial that pauses: only the first means anything.
    std::vector<Order> report(const Event& report);
    std::vector<Order> leave(int trial);
    // The order to go on for the next of those that were waited for; empty when there is none.
    std::vector<Order> resume();
    double nextReport(int trial) const;
    std::string state() const; // JSON

private:
    struct Member {
        bool arrived = false;
        double loss = 0;
        int turn = 0; // in which they arrived
    };
    std::vector<Order> judgeWhenComplete(int lastTrial);

    std::string m_rule;
    std::vector<double> m_rungs;
    double m_factor;
    std::size_t m_rung = 0; // that all train to
    std::map<int, Member> m_live;
    std::size_t m_arrived = 0;
    int m_turn = 0;
    std::deque<int> m_ready; // pause, and may go on
};

} // namespace trainyard::sweep
