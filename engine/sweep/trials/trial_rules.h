// SPDX-License-Identifier: GPL-3.0-or-later
// Rules by which a sweep's supervisor treats a trial's run, without a process or a clock.
#pragma once

#include "engine/sweep/judge/judge.h"
#include "engine/sweep/trials/trial_entry.h"

#include <optional>
#include <set>
#include <vector>

namespace trainyard::sweep {

// A trial's stage, from its entry, the judge and the present holder of its run. `hasSlot`: a slot of this process has
// it. `held`: a supervisor has it; matters only for a queued run that this process began.
Stage stageOf(const TrialEntry& trial, const Judge::Trial& judged, bool hasSlot, bool held);

// Whether a trial that is neither done nor running gets a slot.
bool getsSlot(Wanted wanted);
// The order in which trials get free places: those that lost a host first, then the others, each by number.
std::vector<int> firstLostHosts(const Judge& judge, const std::set<int>& trials);
// Whether a trial makes progress without a new decision.
bool goesOn(Wanted wanted);
// How to stop a running trial; nothing: it continues. `stopping`: the whole sweep stops.
std::optional<wire::StopMode> stopFor(Wanted wanted, bool stopping);
// Whether the sweep needs nothing more from a trial, now or after a resume.
bool isOver(Wanted wanted, Stage stage);

} // namespace trainyard::sweep
