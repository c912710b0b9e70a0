// SPDX-License-Identifier: GPL-3.0-or-later
// What a sweep's supervisor does about the run of a trial, as rules without a process or a clock.
#pragma once

#include "engine/sweep/judge/judge.h"
#include "engine/sweep/trials/trial_entry.h"

#include <optional>
#include <set>
#include <vector>

namespace trainyard::sweep {

// How far a trial has come, from what is known of it, what the judge says and who has its run now. `hasSlot`: a slot of
// this process does. `held`: a supervisor does; only looked at for a queued run that this process has begun.
Stage stageOf(const TrialEntry& trial, const Judge::Trial& judged, bool hasSlot, bool held);

// Whether a trial that is not done and does not run gets a slot.
bool getsSlot(Wanted wanted);
// The order in which trials get what is free: those that have lost a host, then the others, each by number.
std::vector<int> firstLostHosts(const Judge& judge, const std::set<int>& trials);
// Whether a trial still makes progress without a new decision.
bool goesOn(Wanted wanted);
// How a running trial is stopped; nothing: it continues. `stopping`: the whole sweep stops.
std::optional<wire::StopMode> stopFor(Wanted wanted, bool stopping);
// Whether the sweep needs nothing more of a trial, now or after a resume.
bool isOver(Wanted wanted, Stage stage);

} // namespace trainyard::sweep
