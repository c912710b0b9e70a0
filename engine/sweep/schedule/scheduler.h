// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/values/event.h"

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

} // namespace trainyard::sweep
