// SPDX-License-Identifier: GPL-3.0-or-later
// A run that only measures times: a few seconds of what a run file would train, in a temporary workspace that is
// deleted afterwards.
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/store/store.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace trainyard::run {

struct BriefLimits {
    std::int64_t steps = 0; // optimizer steps; 0: limited by `seconds` alone
    double seconds = 5;     // of training, from the first step on
};

// Means over the steps but the first ones, which fill caches. Seconds are of rank 0.
struct BriefTimes {
    int workers = 0;
    std::int64_t steps = 0, totalSteps = 0; // measured; those of the whole run
    double samplesPerSecond = 0;            // all workers together
    double stepSeconds = 0, launchSeconds = 0;
    std::map<std::string, double> parts;  // "data", "comm" and what else the run tells of, and "compute", the rest
    std::vector<wire::WorkerState> ranks; // with each rank's shares of the last window, and its memory
    std::int64_t residentBytes = 0;       // of the rank that has the most
    double othersShare = 0;               // of this computer's cores, what other programs used meanwhile
    double share(const std::string& part) const;
    // Other programs used too much of them: the times do not represent an idle computer.
    bool wasDisturbed() const { return othersShare > 0.1; }
};

// Starts the run, follows it and stops it at the limit, without validation at the end and checkpoints. Errors are those
// of the run; Stopped when `interrupted` says so; Run when no step ended in time. Blocks.
Result<BriefTimes> measureBriefly(spec::RunSpec spec, const BriefLimits& limits,
                                  const std::function<bool()>& interrupted);

// ---- the scaling card ----------------------------------------------------------------------------------------------

// One row of the scaling card.
struct ScalingPoint {
    BriefTimes times;
    double speedUp = 1, efficiency = 1; // against the first count of workers, for each of its workers
    std::string binds;     // what keeps it from more: "computing", "communication", "data", ...; with its share
    std::string straggler; // "rank 1 (host a)": the one that the others wait for; empty when they are alike
};

// Compares the times of several numbers of workers with those of the first one. `globalBatch`: the
// samples of a step are the same for each count (the batch was given as a whole), else for each worker.
std::vector<ScalingPoint> scalingCard(const std::vector<BriefTimes>& times, bool globalBatch);

} // namespace trainyard::run
