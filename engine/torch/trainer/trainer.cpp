// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/trainer.h"

#include "engine/base/clock.h"
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/base/peer_lost.h"
#include "engine/torch/data/augment.h"
#include "engine/torch/data/random.h"

#include <cmath>
#include <optional>
#include <utility>

namespace trainyard::train {
Result<wire::Finished> Trainer::run() {
    m_metrics.series().begin();
    for (;;) {
        try {
            if (m_rejoiner.hasLostPeer()) TY_TRY(rejoin());
            return trainToEnd();
        } catch (const std::exception& e) {
            if (!m_input.groups || !m_input.groups->mayRejoin(e)) throw;
            m_rejoiner.losePeer();
        }
    }
}

Result<wire::Finished> Trainer::trainToEnd() {
    const std::int64_t first = m_place.step;
    bool stop = m_control.endsEarly();
    if (!m_rejoiner.isSettled(m_place.step)) { // a peer was lost in the middle of it
        TY_ASSIGN(stop, afterStep());
    }
    if (m_rejoiner.savesAndEnds()) {
        TY_TRY(reportSteps()); // those that the window still held when the peer was lost
        m_control.saveAndStop();
        stop = true;
    }
    while (!stop && !m_plan.isOver(m_place)) {
        TY_ASSIGN(const bool counts, trainStep());
        if (!counts) continue;
        if (m_place.step == first + 1) m_report.enter(wire::Phase::Train, "");
        TY_ASSIGN(stop, afterStep());
    }
    TY_TRY(finishUp());
    const bool stopped = m_control.isStopped() && (!m_plan.isOver(m_place) || m_control.stopsUnsaved());
    if (!stopped) TY_TRY(test());
    if (!stopped) reportUnreadable();
    wire::Finished finished;
    finished.step = m_place.step;
    finished.epoch = epochNow();
    finished.trainSeconds = m_metrics.series().trainSeconds();
    finished.stopped = stopped;
    finished.parameterDigest = digest(modelTensors(m_learner->model()));
    m_report.enter(wire::Phase::Done, "");
    return finished;
}

// One optimizer step: `accumulate` micro-batches, the average of their gradients over the ranks, the update.
Result<bool> Trainer::trainStep() {
    // Alone it waits in no collective, where it would hear that others are to join it.
    if (m_group.worldSize() == 1 && m_input.groups && m_input.abort->raised()) throw PeerLost("others are to join it");
    if (m_plan.atEpochEnd(m_place) && !m_learner->isReadyFor(m_place.epoch + 1)) TY_TRY(thaw());
    m_learner->beginStep();
    m_metrics.beginStep();
    StepTimes& times = m_metrics.times();
    torch::manual_seed(seedOfStep(m_spec.seed, m_group.rank(), m_place.step));
    m_nonFinite.beginStep(*m_learner);
    const double from = monotonicSeconds();
    if (m_plan.atEpochEnd(m_place)) m_place.beginEpoch();
    m_progress.setStep(StepPart::Data, Engine::tr("load a batch"));
    const std::int64_t samples = m_batches.indices(m_place).size(0), passes = m_plan.passesOf(samples);
    for (std::int64_t pass = 0; pass < passes; ++pass) {
        const double begin = monotonicSeconds();
        const auto part = data::shareOf(samples, {.number = pass, .of = passes});
        TY_ASSIGN(auto batch, m_batches.take(m_place, pass, [this](double seconds) { waitForBatch(seconds); }));
        data::augmentBatch(batch, m_spec.augment, m_data.set());
        times.data += monotonicSeconds() - begin;
        const bool even = part.size() * passes == samples;
        forwardBackward(
            batch, even ? static_cast<double>(passes) : static_cast<double>(samples) / static_cast<double>(part.size()),
            pass + 1 == passes);
    }
    times.samples = static_cast<double>(samples);
    times.steps = 1;
    const double lr = m_learner->policy().lr(m_place.step);
    TY_ASSIGN(const bool counts, updateWeights());
    if (!counts) return false;
    m_place.stepDone();
    showProgress();
    times.compute = monotonicSeconds() - from - times.data - times.comm;
    m_metrics.endStep(lr, m_plan, m_place, m_group.rank() == 0);
    return true;
}

// A disk that does not answer is no failure of this rank: what it says of itself changes while it waits.
void Trainer::waitForData(double seconds) {
    if (m_input.groups && m_input.abort->raised()) throw PeerLost("a rank was lost while this one waited for data");
    if (seconds >= 1) m_progress.setDoing(Engine::tr("wait for data, second"), static_cast<int>(seconds));
}

// Half way to giving up, what was trained so far is saved. No other rank is needed for that: between two steps, and
// while they validate, all have the same weights.
void Trainer::waitForBatch(double seconds) {
    waitForData(seconds);
    auto* const writer = m_checkpoints.writer();
    if (!writer || seconds < m_spec.failure.linkSeconds / 2 || m_checkpoints.savedStep() == m_place.step) return;
    writer->settle();
    m_checkpoints.noteSaved(m_place.step);
    writer->write(captureState(), epochNow(), /*inBackground=*/false, Outlives::PowerLoss);
}

// What was replaced since the last time, on any rank; rank 0 tells.
void Trainer::reportUnreadable() {
    if (!m_data.set().ofFiles()) return; // on every host alike, whatever is streamed there
    m_progress.setCollective(Engine::tr("gather the files that cannot be read"));
    if (!m_data.noteUnreadable(m_group.gatherText(unreadableText(m_batches.takeUnreadable())))) return;
    if (m_group.rank() == 0) m_report.notify(m_data.description());
}

// `parts`: how many such batches would make the samples of the step, which all weigh alike in it.
void Trainer::forwardBackward(const data::Batch& batch, double parts, bool sync) {
    StepTimes& times = m_metrics.times();
    const Precision& precision = m_learner->precision();
    m_averaging.averager().prepareForward(sync);
    m_progress.setStep(StepPart::Compute, Engine::tr("forward"));
    const double begin = monotonicSeconds();
    torch::Tensor outputs, loss;
    {
        const auto autocast = precision.scope();
        outputs = outputsOf(m_learner->model(), batch.inputs);
        loss = m_task->loss(outputs, batch.targets);
    }
    m_metrics.sums().add(m_task->trainSums(loss, outputs, batch.targets));
    if (sync) m_metrics.sums().tell();
    if (loss.device().is_cpu() && !std::isfinite(loss.item<double>()))
        loss =
            m_nonFinite.noteBadLoss(loss, m_data.areFeatures() ? data::Batch{} : batch, *m_learner, m_place.step + 1);
    const double between = monotonicSeconds();
    times.forward += between - begin;
    m_progress.setStep(StepPart::Compute, Engine::tr("backward"));
    if (parts != 1) loss = loss / parts;
    if (precision.scalesLoss()) loss = loss * precision.lossScale();
    m_averaging.averager().prepareBackward();
    loss.backward();
    times.backward += monotonicSeconds() - between;
}

Result<bool> Trainer::updateWeights() {
    const double begin = monotonicSeconds();
    m_metrics.sums().wait(m_progress);
    const double waited = monotonicSeconds() - begin;
    // As far as can be told before the step, it is the last of its window.
    const bool reportsNext = m_metrics.fillsNext() || m_plan.reportsAfterNext(m_spec.checkpoint, m_place);
    const StepReport report = m_averaging.finishStep({.lr = m_learner->policy().lr(m_place.step),
                                                      .gradientScale = 1 / m_learner->precision().lossScale(),
                                                      .clipNorm = m_spec.gradient.clipNorm,
                                                      .clipValue = m_spec.gradient.clipValue,
                                                      .wantNorm = reportsNext,
                                                      .skipNonFinite = m_nonFinite.skips(*m_learner)});
    m_metrics.times().comm = waited + report.waitSeconds;
    m_metrics.times().optimizer = report.updateSeconds;
    if (report.skipped) return stepWasSkipped();
    m_metrics.noteNorm(report);
    m_nonFinite.endGoodStep();
    m_learner->precision().settle(false);
    m_learner->endUpdate();
    return true;
}

// Collective, when finishStep() has left the weights as they were. False: the run was set back.
Result<bool> Trainer::stepWasSkipped() {
    TY_ASSIGN(const auto skipped, m_nonFinite.skipStep(*m_learner, m_group, m_place.step + 1));
    if (skipped.rollsBack) TY_TRY(rollBack(skipped.why));
    else if (!skipped.why.empty()) say(skipped.why);
    return !skipped.rollsBack;
}

// Back to the state of the newest checkpoint, which every rank keeps in memory for this, with a lower rate.
Result<void> Trainer::rollBack(const std::string& why) {
    TrainState& state = m_nonFinite.keptState();
    TrainingPolicy& policy = m_learner->policy();
    policy.lowerLr();
    state.progress["lr.lowered"] = policy.state().at("lr.lowered");
    m_averaging.end();
    state = snapshot(state); // so that the averager's memory, which it may be a part of, can go
    TY_TRY(applyState(state, "the state kept for a rollback"));
    m_learner->resumeProgress();
    m_metrics.clear();
    m_checkpoints.noteSaved(m_place.step);
    m_validatedStep = m_place.step;
    m_control.setEndsEarly(false);
    showProgress();
    TY_TRY(beginAveraging());
    if (m_group.rank() != 0) return {};
    m_report.notify(wire::RolledBack{m_place.step, why + "; went back to step " + std::to_string(m_place.step) +
                                                       ", learning rate now " + spec::toText(policy.lr(m_place.step))});
    return {};
}

// What comes after a step, in the same order on every rank: metrics and stop flags, validation, checkpoint.
Result<bool> Trainer::afterStep() {
    keepBuffers();
    const bool last = m_plan.isOver(m_place);
    const bool due = m_plan.checkpointDue(m_spec.checkpoint, m_place) || last;
    if (m_metrics.isFull() || due || m_plan.atEpochEnd(m_place)) TY_TRY(reportSteps());
    if (m_control.stopsUnsaved()) return true;
    // A run counted in steps validates at its checkpoints too; one counted in epochs at the end of each.
    if (m_plan.atEpochEnd(m_place) || last || (due && m_spec.steps)) {
        reportUnreadable();
        validate();
    }
    if (due && !m_control.isStopped() && m_checkpoints.savedStep() != m_place.step) {
        m_report.enter(wire::Phase::Checkpoint, "");
        saveState();
        if (!last) m_report.enter(wire::Phase::Train, "");
    }
    if (m_control.hasCommands() && !m_control.isOver() && !last)
        m_metrics.series().leaveOut(
            m_control.applyCommands(m_group, m_report, m_progress, m_place.step,
                                    [this](const wire::Command& command) { return applyCommand(command); }));
    m_rejoiner.settle(m_place.step);
    return m_control.isOver();
}

// Collective. Rank 0 reports every step since the last time; all learn whether to stop.
Result<void> Trainer::reportSteps() {
    m_progress.setCollective(Engine::tr("reduce the metrics"));
    if (m_metrics.isEmpty()) return {};
    const auto reduced = m_metrics.reduce(
        m_group,
        {.stop = m_report.stopRequested(), .commands = m_report.commandWaits(), .orphaned = m_report.orphaned()});
    m_control.agree(reduced);
    if (m_nonFinite.endsRun()) // else the step itself was looked at
        if (const auto bad = reduced.firstNotFinite()) {
            if (m_group.rank() == 0) m_metrics.publishSteps(reduced, *bad, m_plan, m_place); // they belong to the curve
            const std::int64_t step = m_place.step - static_cast<std::int64_t>(reduced.steps.size()) + 1 + *bad;
            m_progress.step = step; // what came after it is void
            return m_nonFinite.lossIsNotFinite(*m_learner, m_group, step, m_learner->policy().lr(m_place.step));
        }
    if (m_group.rank() != 0) return {};
    m_metrics.publish(reduced, m_plan, m_place, m_group.worldSize());
    const std::string spike = m_learner->policy().observeNorm(m_metrics.gradNorm(), m_place.step);
    if (!spike.empty()) say(spike);
    return {};
}

// What all ranks do alike. Input: it cannot be done.
Result<void> Trainer::applyCommand(const wire::Command& command) {
    switch (command.kind) {
    case wire::CommandKind::Checkpoint:
        if (m_input.checkpointFolder.empty()) return inputError("this run has no folder for checkpoints");
        if (m_checkpoints.savedStep() != m_place.step) saveState(true);
        else if (auto* writer = m_checkpoints.writer()) writer->hurry();
        return {};
    case wire::CommandKind::SetLearningRate:
        if (!std::isfinite(command.value) || command.value <= 0)
            return inputError("the learning rate must be greater than 0").withCode(ErrorCode::FieldInvalid);
        m_learner->policy().setLr(command.value, m_place.step);
        return {};
    case wire::CommandKind::Pause:
    case wire::CommandKind::Unpause: // GroupControl's
    case wire::CommandKind::Stacks:
    case wire::CommandKind::Resize: break; // the supervisor's
    }
    return inputError("this version does not know the command");
}

// Collective. Rank 0's thread writes the state, and the step path pays for no copy of what the averager pins. The state
// before must be written by now: the next steps go over its memory.
void Trainer::saveState(bool soon) {
    shareBuffers();
    auto& averager = m_averaging.averager();
    auto carried = averager.shareCarried();
    m_progress.setDoing(Engine::tr("checkpoint"));
    m_checkpoints.noteSaved(m_place.step);
    auto* const writer = m_checkpoints.writer();
    const bool writes = m_group.rank() == 0 && writer;
    const bool keeps = m_nonFinite.rollsBack();
    if (writer) writer->settle();
    averager.pin();
    if (!writes && !keeps) return;
    TrainState state = captureState([&](const std::string& name, const torch::Tensor& live) {
        auto pinned = averager.pinned(live);
        return pinned.defined() ? pinned : m_checkpoints.copy(name, live);
    });
    state.carried = std::move(carried);
    if (m_report.orphaned())
        for (const auto& [series, points] : m_report.unstoredPoints())
            for (const auto& point : points)
                state.unstored[series].push_back(
                    {static_cast<double>(point.step), point.epoch, point.seconds, point.value});
    if (keeps) {
        m_nonFinite.keepState(state); // the same memory, unchanged until the next checkpoint
        m_nonFinite.noteCheckpoint();
    }
    if (!writes) return;
    constexpr double kBriefSeconds = 1; // of training, which costs as much as a few waits for the disk
    const bool waitsSoon = soon || m_plan.isOver(m_place) || m_control.isOver();
    const bool brief = m_input.isTrial && m_metrics.series().trainSeconds() < kBriefSeconds;
    writer->write(std::move(state), epochNow(), !waitsSoon, brief ? Outlives::Process : Outlives::PowerLoss);
}

// Collective. Running statistics are each rank's own while it trains; after this all have rank 0's.
void Trainer::shareBuffers() {
    optim::NamedTensors buffers;
    for (const auto& buffer : m_learner->model().named_buffers()) buffers.emplace_back(buffer.key(), buffer.value());
    broadcastTensors(m_group, buffers, [this](int part) {
        m_progress.setCollective(Engine::tr("share the running statistics, part"), part);
    });
}

// In memory of its own.
TrainState Trainer::captureState() const {
    return captureState([](const std::string&, const torch::Tensor& live) {
        return live.to(torch::kCPU, live.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
    });
}

TrainState Trainer::captureState(const optim::Optimizer::Copy& copy) const {
    const SeriesReport& series = m_metrics.series();
    TrainState state;
    state.step = m_place.step;
    state.epoch = m_plan.atEpochEnd(m_place) ? m_place.epoch + 1 : m_place.epoch;
    state.batchInEpoch = m_plan.atEpochEnd(m_place) ? 0 : m_place.batchInEpoch;
    state.runJson = m_input.runJson;
    for (const auto& [name, value] : series.lastValues())
        if (m_validatedStep == m_place.step || !name.starts_with("val/")) state.metrics[name] = value;
    state.points = series.lastSteps();
    m_learner->capture(state, copy);
    m_tuning.save(state.progress);
    state.progress["globalBatch"] = static_cast<double>(m_plan.stepSamples);
    state.progress["trainSeconds"] = series.trainSeconds();
    state.modelInfo = m_data.info();
    return state;
}

// The last checkpoint is written, and every rank has rank 0's buffers, when this returns.
Result<void> Trainer::finishUp() {
    m_report.enter(wire::Phase::Checkpoint, ""); // rank 0 may write for long, while the others test
    if (m_control.stopsUnsaved()) shareBuffers();
    else if (m_checkpoints.savedStep() != m_place.step) saveState();
    m_progress.setDoing(Engine::tr("write the last checkpoint"));
    if (auto* writer = m_checkpoints.writer()) TY_TRY(writer->wait());
    return {};
}

// For people: the run's log and its one line of news.
void Trainer::say(const std::string& notice) {
    if (m_group.rank() == 0) m_report.notify(wire::Notice{m_place.step, notice});
}

} // namespace trainyard::train
