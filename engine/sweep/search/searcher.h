// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/axis.h"
#include "engine/sweep/values/event.h"

namespace trainyard::sweep {

// A trial's parameters, and a memo that comes back in the trial's Started event.
struct Suggestion {
    spec::Params params;
    std::vector<double> memo{};
};

// Source of the trials' parameters. A pure value: its suggestions depend only on the events and on the trial's number,
// so replaying the events restores its state.
class Searcher {
public:
    virtual ~Searcher() = default;

    // The parameters of a trial that is about to start. Asking changes nothing.
    virtual Suggestion suggest(int trial) const = 0;
    virtual void take(const Event& event) = 0;
    // Whether suggestions depend on events; false: on the trial's number alone.
    virtual bool learns() const { return true; }
    // The axes from the next draw on: parts of those of the sweep file, in their order.
    virtual void setSpace(const std::vector<spec::Axis>&) {}
    // Its whole state as JSON: equal for equal states.
    virtual std::string state() const = 0;
};

} // namespace trainyard::sweep
