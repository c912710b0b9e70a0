// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/values/event.h"

#include <set>

namespace trainyard::sweep {

// Decides which trials of a sweep start, go on, pause and stop. A pure value: the same events in the same order give
// the same orders on every computer, so replaying the events restores a scheduler. An event takes O(log n) time on
// average, n being the number of trials.
class Scheduler {
public:
    virtual ~Scheduler() = default;

    // The answer to SlotFree is one Start or Resume, or, with nothing left to train, Stops for the trials that still
    // pause. A SlotFree without an order changes nothing. A trial that was told to adopt pauses from its Adopted event
    // on.
    virtual std::vector<Order> take(const Event& event) = 0;
    // The first t at which a report of the trial is judged; kNever: none. Earlier reports matter only if it remembers
    // them.
    virtual double nextReport(int trial) const = 0;
    // Whether an earlier report matters all the same: results of a trial count from its start on.
    virtual bool remembers(const Event&) const { return false; }
    // The seconds of the sweep from which it needs a Tick; kNever: none.
    virtual double nextTick() const { return kNever; }
    // Whether it always answers SlotFree with the Start of the oldest waiting trial, whatever was reported.
    virtual bool startsInOrder() const { return false; }
    // Where losses of different trials are comparable, ascending; empty: only at their ends.
    virtual std::vector<double> rungs() const { return {}; }
    // The part of the space that a person has left: parameters that the scheduler changes stay within it.
    virtual void setSpace(const std::vector<spec::Axis>&) {}
    // Its whole state as JSON: equal for equal states.
    virtual std::string state() const = 0;
};

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
