// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <functional>
#include <string>

namespace trainyard::run {

// How a run recovered from the loss of a worker.
struct Rehearsal {
    int rank = 0;
    std::string host{};           // of the rank; empty: the computer on which the run lives
    std::int64_t step = 0;        // the last one before the loss
    double secondsToNotice = 0;   // from the loss until the supervisor knew of it
    double secondsToRegroup = 0;  // from the loss until another process was ready in its place, for a new group
    double secondsToNextStep = 0; // from the loss until a step counted again
    std::int64_t stepsLost = 0;   // that had to be made again
    std::string text() const;     // "rank 1 was lost at step 120: the next step came after 0.9 s, no step was lost"
};

// Ends the process of a rank on another host (SIGKILL).
using EndOnHost = std::function<Result<void>(const std::string& host, std::int64_t pid)>;

// Ends one rank of a training run as a crash would (SIGKILL), and waits until it trains again. `rank`: -1 for the last.
// Input: the run does not train, is paused, allows no restart, or has no such rank. Run: it did not train again within
// `seconds`, or ended. Stopped when `interrupted` says so; the run goes on. Errors of `endOnHost`. Blocks.
Result<Rehearsal> rehearseLoss(const store::Workspace& workspace, const std::string& run, int rank, double seconds,
                               const std::function<bool()>& interrupted, const EndOnHost& endOnHost);

} // namespace trainyard::run
