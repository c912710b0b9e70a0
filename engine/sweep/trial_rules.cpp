// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trial_rules.h"

namespace trainyard::sweep {

// One that somebody stopped is not begun again behind his back; one that was made to pause is.
TrialStanding standingOf(const TrialSight& sight, Wanted wanted) {
    TrialStanding standing;
    standing.neverBegan = sight.endedHere && sight.status == wire::RunStatus::Queued && !sight.held;
    standing.complete =
        sight.status == wire::RunStatus::Finished || (sight.status == wire::RunStatus::Failed && !sight.triedAgain);
    const bool pauses =
        sight.toldToStop && (wanted == Wanted::Running || wanted == Wanted::Paused || wanted == Wanted::Adopting);
    const bool stopped = !wire::isActive(sight.status) && sight.status != wire::RunStatus::Failed;
    standing.done = standing.complete || standing.neverBegan || (sight.endedHere && stopped && !pauses) ||
                    (wanted == Wanted::Ending && stopped);
    return standing;
}

// A trial whose run somebody stopped counts as ended; another supervisor takes it up again all the same.
bool getsSlot(Wanted wanted) { return wanted == Wanted::Running || wanted == Wanted::Ended; }

bool goesOn(Wanted wanted) { return wanted == Wanted::Running || wanted == Wanted::Adopting; }

// One that pauses or is to end saves, as does one that is stopped with the whole sweep; one that the scheduler has
// stopped has nothing to go on for, and one that adopts goes on from the state of another one.
std::optional<wire::StopMode> stopFor(Wanted wanted, bool stopping) {
    if (wanted == Wanted::Stopped || wanted == Wanted::Adopting) return wire::StopMode::StopNow;
    if (stopping || wanted == Wanted::Paused || wanted == Wanted::Ending) return wire::StopMode::SaveAndStop;
    return std::nullopt;
}

bool isOver(Wanted wanted, bool complete) {
    return wanted == Wanted::Stopped || (complete && wanted != Wanted::Adopting);
}

} // namespace trainyard::sweep
