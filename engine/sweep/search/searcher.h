// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/axis.h"
#include "engine/sweep/values/event.h"

namespace trainyard::sweep {

// A trial's parameters, and what the searcher wants to find in the trial's Started event to go on with.
struct Suggestion {
    spec::Params params;
    std::vector<double> memo{};
};

// Where the parameters of a sweep's trials come from. A pure value: its suggestions depend only on the events it
// received and on the trial's number, so replaying the events restores its state.
class Searcher {
public:
    virtual ~Searcher() = default;

    // The parameters of a trial that is about to start. Asking changes nothing.
    virtual Suggestion suggest(int trial) const = 0;
    virtual void take(const Event& event) = 0;
    // Whether what it suggests depends on events: false where a trial's number alone decides.
    virtual bool learns() const { return true; }
    // From the next draw on the axes are these: parts of the sweep file's, in their order.
    virtual void setSpace(const std::vector<spec::Axis>&) {}
    // All that it knows, as JSON: equal for equal states.
    virtual std::string state() const = 0;
};

} // namespace trainyard::sweep
