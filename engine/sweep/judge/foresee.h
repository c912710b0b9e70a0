// SPDX-License-Identifier: GPL-3.0-or-later
// Forecasts of a sweep before it starts.
#pragma once

#include "engine/base/result.h"
#include "engine/sweep/judge/slot_count.h"

namespace trainyard::sweep {

// `t` is in the unit of the run: epochs or steps.
struct Foreseen {
    int configurations = 0, trials = 0; // as many at most where `openEnded`
    bool openEnded = false;             // as many as the budget allows
    std::string searcher;               // that will draw: what auto takes
    Sentence reason;                    // why auto takes it; empty: it was asked for
    std::vector<spec::Params> first;    // the first configurations
    int known = 0;                      // of these: the others follow from what the first ones score
    std::vector<double> rungs;          // where trials are judged, in rising order
    bool epochs = true;                 // the unit of t
    SlotCount slots;                    // trials side by side
    double longest = 0;                 // all trials together, if each goes on to its end
    double typical = 0; // the same with the scheduler's stops, for trials that stay as good as they begin
};

// Input: whatever checkedSweep() refuses. `atMost`: the number of configurations to list.
Result<Foreseen> foresee(const spec::SweepSpec& spec, int atMost, const run::Room& room = run::roomHere());

} // namespace trainyard::sweep
