// SPDX-License-Identifier: GPL-3.0-or-later
// How the steps of a run divide into epochs and passes, and where in them its training is: values alone.
#pragma once

#include "engine/spec/run/run_spec.h"

#include <cstdint>

namespace trainyard::train {

// Where training is: optimizer steps done, the epoch in progress, and the steps done in it.
struct Place {
    std::int64_t step = 0, epoch = 0, batchInEpoch = 0;

    void stepDone() { ++step, ++batchInEpoch; }
    void beginEpoch() { ++epoch, batchInEpoch = 0; }
};

// For a group of one size.
struct StepPlan {
    std::int64_t perRank = 0;     // samples of a rank in one pass
    std::int64_t accumulate = 1;  // passes of a step
    std::int64_t leastInPass = 1; // samples: two where the model refuses a single one
    std::int64_t stepSamples = 0; // of all ranks
    std::int64_t stepsPerEpoch = 0;
    std::int64_t totalSteps = 0, totalEpochs = 0; // by which the run is over

    // Into how many passes a rank divides its samples of a step, of which the last of an epoch may have fewer.
    std::int64_t passesOf(std::int64_t samples) const;
    bool atEpochEnd(const Place& place) const { return place.batchInEpoch == stepsPerEpoch; }
    bool isOver(const Place& place) const { return place.step >= totalSteps; }
    // Epochs done, with the part done of the one in progress.
    double epochs(const Place& place) const;
    // Whether a checkpoint is due at that place.
    bool checkpointDue(const spec::CheckpointPolicy& policy, const Place& place) const;
    // Whether the metrics must be reported after the step that follows `place`, however few steps are collected.
    bool reportsAfterNext(const spec::CheckpointPolicy& policy, const Place& place) const;
    // Sets totalSteps and totalEpochs for a run that is at `place`.
    void planEnd(const spec::RunSpec& spec, const Place& place);
};

// Samples of a rank in one pass: a group of another size than the run file says keeps the global batch, as near as it
// goes, with one sample at least.
std::int64_t perRankFor(const spec::RunSpec& spec, std::int64_t worldSize);

// The step of an epoch at which as many samples are done as after `batch` steps of `before` samples, where a step has
// `now`; as near as it goes from below.
std::int64_t sameSample(std::int64_t batch, std::int64_t before, std::int64_t now);

} // namespace trainyard::train
