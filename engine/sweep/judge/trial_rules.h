// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep's supervisor does about the run of a trial, as rules without a process or a clock.
#pragma once

#include "engine/sweep/judge/judge.h"
#include "engine/wire/messages.h"

#include <optional>
#include <set>
#include <vector>

namespace trainyard::sweep {

// The run of a trial as it is found.
struct TrialSight {
    wire::RunStatus status = wire::RunStatus::Queued;
    bool endedHere = false;  // it was in a slot of this process, which has let go of it
    bool held = false;       // it has a supervisor; only set for a queued run that ended here
    bool toldToStop = false; // by this process
    bool triedAgain = false; // the judge knows of its failure, and wants it tried again
};

// How far a trial's run has come.
struct TrialStanding {
    bool done = false;       // it needs nothing more here
    bool complete = false;   // finished or failed: not to be resumed
    bool neverBegan = false; // its supervisor ended without a word in the store; another one would fare no better
};
TrialStanding standingOf(const TrialSight& sight, Wanted wanted);

// Whether a trial that is not done and does not run gets a slot.
bool getsSlot(Wanted wanted);
// The order in which trials get what is free: those that have lost a host, then the others, each by number.
std::vector<int> firstLostHosts(const Judge& judge, const std::set<int>& trials);
// Whether a trial still makes progress without a new decision.
bool goesOn(Wanted wanted);
// How a running trial is stopped; nothing: it continues. `stopping`: the whole sweep stops.
std::optional<wire::StopMode> stopFor(Wanted wanted, bool stopping);
// Whether the sweep needs nothing more of a trial, now or after a resume.
bool isOver(Wanted wanted, bool complete);

} // namespace trainyard::sweep
