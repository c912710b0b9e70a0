// SPDX-License-Identifier: GPL-3.0-or-later
// How training continues after a rank is lost: the survivors keep their state and send it to the ranks that join.
#include "engine/torch/trainer/trainer.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace trainyard::train {

void Trainer::keepBuffers() {
    if (!m_input.groups || m_group.worldSize() == 1) return m_rejoiner.forgetBuffers(); // alone no step is cut short
    m_rejoiner.keepBuffers(m_learner->model());
}

Result<void> Trainer::rejoin() {
    m_progress.setCollective(Engine::tr("wait for the replacement rank"));
    if (m_averaging.endedStep()) countAsDone();
    m_averaging.end();
    // The step that was cut short had begun the next epoch.
    if (m_place.batchInEpoch == 0 && m_place.epoch > 0 && m_place.step > 0) {
        --m_place.epoch;
        m_place.batchInEpoch = m_plan.stepsPerEpoch;
    }
    m_rejoiner.leave(m_group);
    m_group = ProcessGroup::single(); // lets the lost one's connections go
    m_metrics.beginGroup(m_group);
    m_learner->model().train();
    TY_ASSIGN(m_group, m_input.groups->nextGroup());
    TY_TRY(shareState(true));
    m_rejoiner.rejoined();
    return {};
}

// All ranks had applied the update when one was lost; this rank just did not know yet.
void Trainer::countAsDone() {
    m_learner->endUpdate();
    const double lr = m_learner->policy().lr(m_place.step);
    m_place.stepDone();
    m_metrics.endLostStep(lr);
    keepBuffers();
}

Position Trainer::position(bool known) const {
    const auto held = m_metrics.held();
    Position mine{.known = known,
                  .step = m_place.step,
                  .epoch = m_place.epoch,
                  .batchInEpoch = m_place.batchInEpoch,
                  .windowSteps = held.open,
                  .keptSteps = held.kept,
                  .windowTarget = held.target,
                  .validated = m_validatedStep,
                  .saved = m_checkpoints.savedStep(),
                  .totalSteps = m_plan.totalSteps,
                  .totalEpochs = m_plan.totalEpochs,
                  .endEarly = m_control.endsEarly(),
                  .stepsPerEpoch = m_plan.stepsPerEpoch,
                  .toStop = m_report.stopRequested() == wire::StopMode::SaveAndStop,
                  .gradNorm = std::bit_cast<std::int64_t>(held.gradNorm),
                  .lastLr = std::bit_cast<std::int64_t>(held.lastLr)};
    m_rejoiner.describe(mine);
    return mine;
}

// Collective, the first thing in a new group: the state of the most advanced rank goes to all that lack it. `known`:
// this rank was in the group before.
Result<void> Trainer::shareState(bool known) {
    m_progress.setCollective(Engine::tr("share the training state"));
    const Position mine = position(known);
    std::vector<Position> all;
    for (const auto& tensor : m_group.gather(mine.toTensor())) all.push_back(Position::of(tensor));
    const RejoinPlan plan(std::move(all));
    const Position& newest = plan.newest();
    m_rejoiner.setSavesAndEnds(plan.savesAndEnds());
    if (!newest.known) return runError("no surviving rank has the training state", "", "resume the run");
    if (known) m_rejoiner.bringBuffersBack(m_learner->model());
    TY_TRY(adoptState(mine, plan));
    m_metrics.share(m_group, plan.donor(),
                    {.target = newest.windowTarget,
                     .gradNorm = std::bit_cast<double>(newest.gradNorm),
                     .lastLr = std::bit_cast<double>(newest.lastLr)},
                    plan.openSteps());
    agreeOnWhatIsDone(plan);
    keepBuffers();
    m_nonFinite.beginGroup();
    if (m_nonFinite.rollsBack()) m_nonFinite.keepState(captureState()); // the same one on every rank
    m_averaging.carry({}); // that of the lost rank is lost: all begin anew, so that all have the same
    TY_TRY(beginAveraging());
    std::string resized = m_rejoiner.takeResize();
    if (const std::string how = m_tuning.tuned().words(); !resized.empty() && !how.empty()) resized += "; " + how;
    m_report.enter(wire::Phase::FirstStep, resized);
    return {};
}

// Collective. What is done is named part by part, and what a rank does alone otherwise than what it waits for: so the
// supervisor can tell a large state from one that does not come.
torch::Tensor Trainer::stateOf(int donor) {
    torch::Tensor packed;
    if (m_group.rank() == donor) {
        m_progress.setDoing(Engine::tr("pack the training state"));
        packed = packState(captureState());
    }
    return m_group.broadcastBytes(packed, donor, [this](int part) {
        m_progress.setCollective(Engine::tr("share the training state, part"), part);
    });
}

// Files may have been deleted or added since the others listed them.
Result<void> Trainer::joinData(const ModelInfo& trainedOn) {
    TY_ASSIGN(const bool listedAnew, m_data.listAsThen(trainedOn, /*joins=*/true));
    TY_TRY(m_data.mustBeSame(trainedOn));
    if (!listedAnew) return {};
    limitData();
    m_data.moveTo(m_input.device.device);
    TY_ASSIGN(m_task, Task::make(m_spec, m_data.set()));
    m_metrics.setTask(*m_task, m_input.groups != nullptr);
    m_batches.forgetLoader();
    return dealSamples();
}

// Collective: all are where the donor is, with its weights.
Result<void> Trainer::adoptState(const Position& mine, const RejoinPlan& plan) {
    const Position& newest = plan.newest();
    torch::Tensor bytes;
    if (plan.anyBehind()) bytes = stateOf(plan.donor());
    m_progress.setDoing(
        Engine::tr("apply the state")); // no collective is called while a rank does so, however long it takes
    if (plan.isBehind(mine)) {
        const std::string where = "the state that rank " + std::to_string(plan.donor()) + " sent";
        TY_ASSIGN(const auto state, unpackState(bytes, where));
        if (!mine.known) TY_TRY(joinData(state.modelInfo));
        TY_TRY(applyState(state, where));
        TY_TRY(cacheFeatures(/*together=*/false));
        TY_TRY(m_learner->planFor(m_group.worldSize(), m_plan));
    }
    m_place = {newest.step, newest.epoch, newest.batchInEpoch};
    if (plan.savesAndEnds()) return {};
    if (newest.world != m_group.worldSize()) return resize(newest);
    if (m_plan.totalSteps == newest.totalSteps) return {};
    m_plan.totalSteps = newest.totalSteps; // a run that was resumed with another batch counts otherwise
    m_plan.totalEpochs = newest.totalEpochs;
    return m_learner->planAnew(m_group.worldSize(), m_plan);
}

void Trainer::agreeOnWhatIsDone(const RejoinPlan& plan) {
    m_validatedStep = plan.validatedStep();
    m_checkpoints.noteSaved(plan.savedStep());
    if (m_group.rank() == 0) m_checkpoints.writeTo(m_input.checkpointFolder, m_report);
    m_rejoiner.settle(plan.isSettled() ? m_place.step : m_place.step - 1);
    m_control.beginGroup(plan.newest().endEarly != 0);
    showProgress();
}

// The group has another size than before. The global batch stays, as near as it goes; where it cannot, the rate follows
// by the rule that the run file names. The place in the epoch stays at the same sample, as near as it goes.
// A rank that has just come has dealt the samples for the new size already, so what was before is asked of the donor.
Result<void> Trainer::resize(const Position& newest) {
    const std::int64_t world = m_group.worldSize(),
                       before = perRankFor(m_spec, newest.world) * m_plan.accumulate * newest.world;
    const bool epochOver = m_place.batchInEpoch == newest.stepsPerEpoch;
    TY_TRY(dealSamples());
    const std::int64_t now = m_plan.perRank * m_plan.accumulate * world;
    m_place.batchInEpoch = epochOver ? m_plan.stepsPerEpoch
                                     : std::min(m_plan.stepsPerEpoch, sameSample(m_place.batchInEpoch, before, now));
    if (!m_spec.steps) m_plan.planEnd(m_spec, m_place);
    TY_TRY(m_learner->planAnew(m_group.worldSize(), m_plan));
    m_tuning.chooseAnew();
    const std::string& note = m_learner->policy().lrNote();
    m_rejoiner.noteResize("continues with " + std::to_string(world) + " ranks instead of " +
                          std::to_string(newest.world) + ": " + std::to_string(now) + " samples per step instead of " +
                          std::to_string(before) + (note.empty() ? ", the same learning rates" : ", " + note));
    return {};
}

} // namespace trainyard::train
