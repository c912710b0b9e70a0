// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/values/event.h"

namespace trainyard::sweep {

// Decides which trials of a sweep are started, go on, pause and are stopped. A pure value: the same events, in the same
// order, give the same orders on every computer, so what a scheduler knew is had again by telling it its events anew.
// Every event takes O(log n) time, on average, in the number of trials.
class Scheduler {
public:
    virtual ~Scheduler() = default;

    // SlotFree is answered with one Start or Resume or, when nothing is left to train, with the Stops of those that
    // still pause. A SlotFree without an order changes nothing. A trial that was told to adopt pauses from its Adopted
    // event on.
    virtual std::vector<Order> take(const Event& event) = 0;
    // The first t at which a report of the trial is judged; kNever: none is. Of earlier ones those matter that it
    // remembers.
    virtual double nextReport(int trial) const = 0;
    // Whether an earlier report matters all the same: what a trial has reached counts from its start on.
    virtual bool remembers(const Event&) const { return false; }
    // From how many seconds of the sweep on it is to be told a Tick; kNever: it waits for none.
    virtual double nextTick() const { return kNever; }
    // Whether SlotFree is always answered with the Start of the oldest trial that waits, whatever was reported.
    virtual bool startsInOrder() const { return false; }
    // Where losses of different trials can be compared, in rising order; empty: only at their ends.
    virtual std::vector<double> rungs() const { return {}; }
    // What a person has left of the space: parameters that it changes stay within that from now on.
    virtual void setSpace(const std::vector<spec::Axis>&) {}
    // All that it knows, as JSON: equal for equal states.
    virtual std::string state() const = 0;
};

} // namespace trainyard::sweep
