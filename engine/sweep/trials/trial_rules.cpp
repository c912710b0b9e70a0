// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/trial_rules.h"

#include <algorithm>

namespace trainyard::sweep {

// A trial that a user stopped is not started again without being asked; one that this supervisor paused is. Where the
// judge knows of the failure, it wants the trial tried again.
Stage stageOf(const TrialEntry& trial, const Judge::Trial& judged, bool hasSlot, bool held) {
    using enum wire::RunStatus;
    const bool triedAgain = judged.failedMs != 0 && judged.failedMs == trial.finishedMs;
    if (trial.status == Finished || (trial.status == Failed && !triedAgain)) return Stage::Complete;
    const bool endedHere = trial.begunHere && !hasSlot;
    if (endedHere && trial.status == Queued && !held) return Stage::NeverBegan;
    const Wanted wanted = judged.wanted;
    const bool pauses =
        trial.toldToStop && (wanted == Wanted::Running || wanted == Wanted::Paused || wanted == Wanted::Adopting);
    const bool stopped = !wire::isActive(trial.status) && trial.status != Failed;
    return stopped && ((endedHere && !pauses) || wanted == Wanted::Ending) ? Stage::Done : Stage::Open;
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

bool isOver(Wanted wanted, Stage stage) {
    return wanted == Wanted::Stopped || (stage == Stage::Complete && wanted != Wanted::Adopting);
}

} // namespace trainyard::sweep
