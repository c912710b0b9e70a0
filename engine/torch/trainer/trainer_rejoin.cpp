// SPDX-License-Identifier: GPL-3.0-or-later
// How training continues after a rank is lost: the survivors keep their state and send it to the ranks that join.
#include "engine/torch/base/step_seed.h"
#include "engine/torch/trainer/trainer.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

namespace trainyard::train {
namespace {

template <class Positions>
std::size_t mostAdvanced(const Positions& all) {
    const auto progress = [](const auto& each) { return std::tuple(each.known, each.step, each.settled); };
    std::size_t best = 0;
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        if (progress(all[rank]) > progress(all[best])) best = rank;
    return best;
}

// The first step that some rank has not yet reported, or that a new rank 0 cannot know to have been reported.
template <class Positions>
std::int64_t firstOpenStep(const Positions& all, std::int64_t step) {
    std::int64_t first = step;
    const bool newReporter = all.front().reporter == 0;
    for (const auto& each : all)
        if (each.known) first = std::min(first, each.step - each.windowSteps - (newReporter ? each.keptSteps : 0));
    return first;
}

// The ranks that were there before, and they alone, take no step more when they are to stop: they save the state as
// the group before would have. One that has just come has dealt its samples for the new size.
template <class Positions>
bool savesAndEnds(const Positions& all) {
    return std::all_of(all.begin(), all.end(), [](const auto& each) { return each.known; }) &&
           std::any_of(all.begin(), all.end(), [](const auto& each) { return each.toStop; });
}

} // namespace

// What each rank tells the others of where it is.
struct Trainer::Position {
    std::int64_t known = 0; // 0: it has just come and knows nothing
    std::int64_t step = 0, epoch = 0, batchInEpoch = 0;
    std::int64_t windowSteps = 0, keptSteps = 0, windowTarget = 1;
    std::int64_t settled = 0, validated = -1, saved = -1, totalSteps = 0, totalEpochs = 0;
    std::int64_t reporter = 0;             // it was rank 0 in the group before
    std::int64_t world = 0;                // of the group before
    std::int64_t endEarly = 0;             // the run no longer gets better
    std::int64_t stepsPerEpoch = 0;        // in the group before
    std::int64_t toStop = 0;               // it was asked to save and stop
    std::int64_t gradNorm = 0, lastLr = 0; // the bits of doubles

    torch::Tensor toTensor() const {
        return torch::tensor({known, step, epoch, batchInEpoch, windowSteps, keptSteps, windowTarget, settled,
                              validated, saved, totalSteps, totalEpochs, reporter, world, endEarly, stepsPerEpoch,
                              toStop, gradNorm, lastLr},
                             torch::kInt64);
    }
    static Position of(const torch::Tensor& tensor) {
        const auto n = tensor.accessor<std::int64_t, 1>();
        return {n[0],  n[1],  n[2],  n[3],  n[4],  n[5],  n[6],  n[7],  n[8], n[9],
                n[10], n[11], n[12], n[13], n[14], n[15], n[16], n[17], n[18]};
    }
};

void Trainer::seedStep() { torch::manual_seed(seedOfStep(m_spec.seed, m_group.rank(), m_place.step)); }

// A forward pass changes running statistics; the step that a lost peer has cut short is taken again.
void Trainer::keepBuffers() {
    if (!m_input.groups || m_group.worldSize() == 1) return m_buffersAfter.clear(); // alone no step is cut short
    m_buffersAfter.keep(*m_model);
}

Result<void> Trainer::rejoin() {
    m_progress.setCollective(Engine::tr("wait for the rank that takes the lost one's place"));
    if (m_averager && m_averager->settle() > m_averagerStep) countAsDone();
    m_averager.reset();
    // The step that was cut short had begun the next epoch.
    if (m_place.batchInEpoch == 0 && m_place.epoch > 0 && m_place.step > 0) {
        --m_place.epoch;
        m_place.batchInEpoch = m_plan.stepsPerEpoch;
    }
    if (m_lastWorld == 0) {
        m_wasReporter = m_group.rank() == 0;
        m_lastWorld = m_group.worldSize();
    }
    m_sums = StepSums();
    m_group = ProcessGroup::single(); // lets the lost one's connections go
    m_model->train();
    TY_ASSIGN(m_group, m_input.groups->nextGroup());
    TY_TRY(shareState(true));
    m_lostPeer = false;
    m_lastWorld = 0;
    return {};
}

// All ranks had applied the update when one was lost; this rank just did not know yet.
void Trainer::countAsDone() {
    ++m_averagerStep;
    if (m_average) m_average->update();
    m_lastLr = m_policy.lr(m_place.step);
    m_place.stepDone();
    m_window.endStep(m_sums.total(), m_times);
    keepBuffers();
}

Trainer::Position Trainer::position(bool known) const {
    return {known,
            m_place.step,
            m_place.epoch,
            m_place.batchInEpoch,
            static_cast<std::int64_t>(m_window.size()),
            static_cast<std::int64_t>(m_window.kept()),
            static_cast<std::int64_t>(m_window.target()),
            m_settledStep,
            m_validatedStep,
            m_savedStep,
            m_plan.totalSteps,
            m_plan.totalEpochs,
            known && m_wasReporter,
            m_lastWorld,
            m_endEarly,
            m_plan.stepsPerEpoch,
            m_report.stopRequested() == wire::StopMode::SaveAndStop,
            std::bit_cast<std::int64_t>(m_gradNorm),
            std::bit_cast<std::int64_t>(m_lastLr)};
}

// Collective, the first thing in a new group: the state of the most advanced rank goes to all that lack it. `known`:
// this rank was in the group before. A rank is at most one step behind, since averaging needs all ranks.
Result<void> Trainer::shareState(bool known) {
    m_progress.setCollective(Engine::tr("share the state of the training"));
    const Position mine = position(known);
    std::vector<Position> all;
    for (const auto& tensor : m_group.gather(mine.toTensor())) all.push_back(Position::of(tensor));
    const std::size_t donor = mostAdvanced(all);
    const Position& newest = all[donor];
    m_savesAndEnds = savesAndEnds(all);
    if (!newest.known) return runError("no surviving rank has the training state", "", "resume the run");
    if (known) m_buffersAfter.bringBack(*m_model);
    TY_TRY(adoptState(mine, all, donor));
    shareWindow(all, donor);
    agreeOnWhatIsDone(all, newest);
    keepBuffers();
    m_badLoss.why.clear();
    m_nonFinite.beginAnew();
    if (m_nonFinite.rollsBack()) m_rollbackState = captureState(); // the same one on every rank
    m_carried.clear(); // that of the lost rank is lost: all begin anew, so that all have the same
    TY_TRY(makeTheAverager());
    if (!m_resized.empty() && !m_tuning->words().empty()) m_resized += "; " + m_tuning->words();
    m_report.enter(wire::Phase::FirstStep, std::exchange(m_resized, {}));
    return {};
}

// Collective. What is done is named part by part, and what a rank does alone otherwise than what it waits for: so the
// supervisor can tell a large state from one that does not come.
torch::Tensor Trainer::stateOf(int donor) {
    torch::Tensor packed;
    if (m_group.rank() == donor) {
        m_progress.setDoing(Engine::tr("pack the state of the training"));
        packed = packState(captureState());
    }
    return m_group.broadcastBytes(packed, donor, [this](int part) {
        m_progress.setCollective(Engine::tr("share the state of the training, part"), part);
    });
}

// Collective: every rank gets the donor's metrics of the steps that are not, or may not be, reported; what they are
// reported with is the donor's too.
void Trainer::shareWindow(const std::vector<Position>& all, std::size_t donor) {
    const Position& newest = all[donor];
    torch::Tensor bytes;
    if (m_group.rank() == static_cast<int>(donor)) bytes = m_window.held().flatten().view(torch::kUInt8);
    bytes = m_group.broadcastBytes(bytes, static_cast<int>(donor), [this](int part) {
        m_progress.setCollective(Engine::tr("share the metrics of the last steps, part"), part);
    });
    const auto held = bytes.view(torch::kFloat64).view({-1, m_task->sumCount()});
    m_window.reopen(held, std::min(held.size(0), newest.step - firstOpenStep(all, newest.step)),
                    static_cast<std::size_t>(newest.windowTarget));
    m_gradNorm = std::bit_cast<double>(newest.gradNorm);
    m_lastLr = std::bit_cast<double>(newest.lastLr);
}

// Collective: all are where the donor is, with its weights.
Result<void> Trainer::adoptState(const Position& mine, const std::vector<Position>& all, std::size_t donor) {
    const Position& newest = all[donor];
    const auto isBehind = [&](const Position& each) {
        return !each.known || each.step < newest.step || each.settled < newest.settled;
    };
    const bool behind = isBehind(mine), anyBehind = std::any_of(all.begin(), all.end(), isBehind);
    torch::Tensor bytes;
    if (anyBehind) bytes = stateOf(static_cast<int>(donor));
    m_progress.setDoing(
        Engine::tr("apply the state")); // no collective is called while a rank does so, however long it takes
    if (behind) {
        const std::string where = "the state that rank " + std::to_string(donor) + " sent";
        TY_ASSIGN(const auto state, unpackState(bytes, where));
        if (!mine.known) TY_TRY(mustBeSameData(state.modelInfo));
        TY_TRY(applyState(state, where));
        TY_TRY(makePolicy());
    }
    m_place = {newest.step, newest.epoch, newest.batchInEpoch};
    m_sampler->setEpoch(m_place.epoch);
    if (m_savesAndEnds) return {};
    if (newest.world != m_group.worldSize()) return resize(newest);
    if (m_plan.totalSteps == newest.totalSteps) return {};
    m_plan.totalSteps = newest.totalSteps; // a run that was resumed with another batch counts otherwise
    m_plan.totalEpochs = newest.totalEpochs;
    m_restored = m_policy.state();
    return makePolicy();
}

// What comes after the last step (reports, validation, checkpoint) and is known to be done by all that were there.
void Trainer::agreeOnWhatIsDone(const std::vector<Position>& all, const Position& newest) {
    const Position& reporter = all.front();
    m_validatedStep = reporter.reporter ? reporter.validated : -1;
    for (const auto& each : all) // what a validation decides, all must have seen
        if (each.known) m_validatedStep = std::min(m_validatedStep, each.validated);
    m_savedStep = reporter.reporter ? reporter.saved : -1;
    if (m_group.rank() == 0 && !m_writer && !m_input.checkpointFolder.empty())
        m_writer = std::make_unique<CheckpointWriter>(m_input.checkpointFolder, m_report);
    const bool settled = reporter.reporter && std::all_of(all.begin(), all.end(), [&](const Position& each) {
                             return !each.known || each.settled == newest.step;
                         });
    m_settledStep = settled ? m_place.step : m_place.step - 1;
    m_stopped = m_saveOnStop = false; // agreed on anew
    m_endEarly = newest.endEarly != 0;
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
    m_sampler->setEpoch(m_place.epoch);
    const std::int64_t now = m_plan.perRank * m_plan.accumulate * world;
    m_place.batchInEpoch = epochOver ? m_plan.stepsPerEpoch
                                     : std::min(m_plan.stepsPerEpoch, sameSample(m_place.batchInEpoch, before, now));
    if (!m_spec.steps) m_plan.planEnd(m_spec, m_place);
    m_restored = m_policy.state();
    m_precision.save(m_restored);
    TY_TRY(makePolicy());
    m_chooseAnew = true;
    m_resized = "continues with " + std::to_string(world) + " ranks instead of " + std::to_string(newest.world) + ": " +
                std::to_string(now) + " samples per step instead of " + std::to_string(before) +
                (m_policy.lrNote().empty() ? ", the same learning rates" : ", " + m_policy.lrNote());
    return {};
}

} // namespace trainyard::train
