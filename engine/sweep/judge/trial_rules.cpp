// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/judge/trial_rules.h"

#include <algorithm>

namespace trainyard::sweep {

// A trial that a user stopped is not started again without being asked; one that this supervisor paused is.
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

// A trial whose run a user stopped counts as ended, yet a later supervisor resumes it.
bool getsSlot(Wanted wanted) { return wanted == Wanted::Running || wanted == Wanted::Ended; }

std::vector<int> firstLostHosts(const Judge& judge, const std::set<int>& trials) {
    std::vector<int> order(trials.begin(), trials.end());
    std::stable_partition(order.begin(), order.end(), [&](int trial) { return judge.hasLostHost(trial); });
    return order;
}

bool goesOn(Wanted wanted) { return wanted == Wanted::Running || wanted == Wanted::Adopting; }

// A trial that pauses or is to end saves first, as does one that is stopped with the whole sweep. One that the
// scheduler stopped will not continue, and one that adopts continues from another trial's state, so neither saves.
std::optional<wire::StopMode> stopFor(Wanted wanted, bool stopping) {
    if (wanted == Wanted::Stopped || wanted == Wanted::Adopting) return wire::StopMode::StopNow;
    if (stopping || wanted == Wanted::Paused || wanted == Wanted::Ending) return wire::StopMode::SaveAndStop;
    return std::nullopt;
}

bool isOver(Wanted wanted, bool complete) {
    return wanted == Wanted::Stopped || (complete && wanted != Wanted::Adopting);
}

} // namespace trainyard::sweep
