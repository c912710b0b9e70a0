// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/learner/step_plan.h"

#include <algorithm>
#include <cmath>

namespace trainyard::train {

double StepPlan::epochs(const Place& place) const {
    return static_cast<double>(place.epoch) +
           static_cast<double>(place.batchInEpoch) / static_cast<double>(stepsPerEpoch);
}

bool StepPlan::checkpointDue(const spec::CheckpointPolicy& policy, const Place& place) const {
    if (policy.everySteps > 0 && place.step % policy.everySteps == 0) return true;
    return policy.everyEpochs > 0 && atEpochEnd(place) && (place.epoch + 1) % policy.everyEpochs == 0;
}

bool StepPlan::reportsAfterNext(const spec::CheckpointPolicy& policy, const Place& place) const {
    return place.batchInEpoch + 1 == stepsPerEpoch || place.step + 1 >= totalSteps ||
           (policy.everySteps > 0 && (place.step + 1) % policy.everySteps == 0);
}

void StepPlan::planEnd(const spec::RunSpec& spec, const Place& place) {
    if (spec.steps) {
        totalSteps = *spec.steps;
        const auto left = std::max<std::int64_t>(0, totalSteps - place.step) + place.batchInEpoch;
        totalEpochs = place.epoch + (left + stepsPerEpoch - 1) / stepsPerEpoch;
    } else {
        totalEpochs = spec.epochs.value_or(1);
        const auto left = (totalEpochs - place.epoch) * stepsPerEpoch - place.batchInEpoch;
        totalSteps = place.step + std::max<std::int64_t>(0, left);
    }
    if (spec.debug.fastDevRun) totalSteps = std::min(totalSteps, place.step + 1);
}

std::int64_t StepPlan::passesOf(std::int64_t samples) const {
    const std::int64_t full = (samples + perRank - 1) / perRank;
    return std::clamp<std::int64_t>(samples / leastInPass, 1, full);
}

std::int64_t perRankFor(const spec::RunSpec& spec, std::int64_t worldSize) {
    if (worldSize == spec.scaling.workers) return spec.perRankBatch();
    const auto shares = static_cast<double>(spec.batch.accumulate * worldSize);
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(spec.globalBatch()) / shares));
}

std::int64_t sameSample(std::int64_t batch, std::int64_t before, std::int64_t now) { return batch * before / now; }

} // namespace trainyard::train
