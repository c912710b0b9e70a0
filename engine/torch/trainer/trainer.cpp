// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/trainer.h"

#include "engine/base/clock.h"
#include "engine/torch/averaging/replicas.h"
#include "engine/torch/base/peer_lost.h"
#include "engine/torch/data/augment.h"

#include <cmath>
#include <optional>
#include <utility>

namespace trainyard::train {
namespace {

constexpr double kShareSeconds = 3; // steps so long ago count a third

} // namespace

Result<wire::Finished> Trainer::run() {
    m_series.begin();
    for (;;) {
        try {
            if (m_lostPeer) TY_TRY(rejoin());
            return trainToEnd();
        } catch (const std::exception& e) {
            if (!m_input.groups || !m_input.groups->mayRejoin(e)) throw;
            m_lostPeer = true;
        }
    }
}

Result<wire::Finished> Trainer::trainToEnd() {
    const std::int64_t first = m_place.step;
    bool stop = m_endEarly;
    if (m_settledStep < m_place.step) { // a peer was lost in the middle of it
        TY_ASSIGN(stop, afterStep());
    }
    if (m_savesAndEnds) {
        TY_TRY(reportSteps()); // those that the window still held when the peer was lost
        stop = m_stopped = m_saveOnStop = true;
    }
    while (!stop && !m_plan.isOver(m_place)) {
        TY_ASSIGN(const bool counts, trainStep());
        if (!counts) continue;
        if (m_place.step == first + 1) m_report.enter(wire::Phase::Train, "");
        TY_ASSIGN(stop, afterStep());
    }
    TY_TRY(finishUp());
    const bool stopped = m_stopped && (!m_plan.isOver(m_place) || !m_saveOnStop);
    if (!stopped) TY_TRY(test());
    wire::Finished finished;
    finished.step = m_place.step;
    finished.epoch = epochNow();
    finished.trainSeconds = m_series.trainSeconds();
    finished.stopped = stopped;
    finished.parameterDigest = digest(modelTensors(*m_model));
    m_report.enter(wire::Phase::Done, "");
    return finished;
}

// One optimizer step: `accumulate` micro-batches, the average of their gradients over the ranks, the update.
Result<bool> Trainer::trainStep() {
    // Alone it waits in no collective, where it would hear that others are to join it.
    if (m_group.worldSize() == 1 && m_input.groups && m_input.abort->raised()) throw PeerLost("others are to join it");
    m_times = {};
    seedStep();
    keepBuffersOfStep();
    const double from = monotonicSeconds();
    if (m_plan.atEpochEnd(m_place)) {
        m_place.beginEpoch();
        m_sampler->setEpoch(m_place.epoch);
    }
    m_progress.setStep(StepPart::Data, Engine::tr("load a batch"));
    // Not waited for: the copy is made of memory that CUDA has read when the call returns.
    const auto indices =
        m_sampler->indices(m_place.batchInEpoch).to(m_input.device.device, torch::kInt64, /*non_blocking=*/true);
    const std::int64_t samples = indices.size(0), passes = m_plan.passesOf(samples);
    for (std::int64_t pass = 0; pass < passes; ++pass) {
        const double begin = monotonicSeconds();
        const auto part = data::shareOf(samples, static_cast<int>(pass), static_cast<int>(passes));
        auto batch =
            data::gather(m_data, m_data.train, passes == 1 ? indices : indices.narrow(0, part.begin, part.size()));
        data::augmentBatch(batch, m_spec.augment, m_data);
        m_times.data += monotonicSeconds() - begin;
        const bool even = part.size() * passes == samples;
        forwardBackward(
            batch, even ? static_cast<double>(passes) : static_cast<double>(samples) / static_cast<double>(part.size()),
            pass + 1 == passes);
    }
    m_times.samples = static_cast<double>(samples);
    m_times.steps = 1;
    const double lr = m_policy.lr(m_place.step);
    TY_ASSIGN(const bool counts, updateWeights());
    if (!counts) return false;
    m_place.stepDone();
    showProgress();
    if (m_group.rank() == 0 && lr != m_lastLr) {
        m_series.point("lr", m_place.step, epochNow(), lr);
        m_lrStep = m_place.step;
    }
    m_lastLr = lr;
    m_times.compute = monotonicSeconds() - from - m_times.data - m_times.comm;
    m_window.endStep(m_sums.total(), m_times);
    return true;
}

// `parts`: how many such batches would make the samples of the step, which all weigh alike in it.
void Trainer::forwardBackward(const data::Batch& batch, double parts, bool sync) {
    m_averager->prepareForward(sync);
    m_progress.setStep(StepPart::Compute, Engine::tr("forward"));
    const double begin = monotonicSeconds();
    torch::Tensor outputs, loss;
    {
        const auto autocast = m_precision.scope();
        outputs = m_model->forward(batch.inputs);
        loss = m_task->loss(outputs, batch.targets);
    }
    m_sums.add(m_task->trainSums(loss, outputs, batch.targets));
    if (sync) m_sums.tell();
    if (loss.device().is_cpu() && !std::isfinite(loss.item<double>())) loss = noteBadLoss(loss, batch);
    const double between = monotonicSeconds();
    m_times.forward += between - begin;
    m_progress.setStep(StepPart::Compute, Engine::tr("backward"));
    if (parts != 1) loss = loss / parts;
    if (m_precision.scalesLoss()) loss = loss * m_precision.lossScale();
    m_averager->prepareBackward();
    loss.backward();
    m_times.backward += monotonicSeconds() - between;
}

Result<bool> Trainer::updateWeights() {
    const bool guarded = !m_nonFinite.endsRun() || m_precision.scalesLoss();
    const double begin = monotonicSeconds();
    m_sums.wait(m_progress);
    const double waited = monotonicSeconds() - begin;
    const StepReport report = m_averager->finishStep({.lr = m_policy.lr(m_place.step),
                                                      .gradientScale = 1 / m_precision.lossScale(),
                                                      .clipNorm = m_spec.gradient.clipNorm,
                                                      .clipValue = m_spec.gradient.clipValue,
                                                      .wantNorm = reportsNext(),
                                                      .skipNonFinite = guarded});
    ++m_averagerStep;
    m_times.comm = waited + report.waitSeconds;
    m_times.optimizer = report.updateSeconds;
    if (report.skipped) return stepWasSkipped();
    if (report.gradNorm) m_gradNorm = *report.gradNorm;
    m_gradNormLater = report.gradNormLater;
    m_nonFinite.afterGoodStep();
    m_precision.settle(false);
    if (m_average) m_average->update();
    return true;
}

// What comes after a step, in the same order on every rank: metrics and stop flags, validation, checkpoint.
Result<bool> Trainer::afterStep() {
    keepBuffers();
    const bool last = m_plan.isOver(m_place);
    const bool due = m_plan.checkpointDue(m_spec.checkpoint, m_place) || last;
    if (m_window.size() >= m_window.target() || due || m_plan.atEpochEnd(m_place)) TY_TRY(reportSteps());
    if (m_stopped && !m_saveOnStop) return true;
    // A run counted in steps validates at its checkpoints too; one counted in epochs at the end of each.
    if (m_plan.atEpochEnd(m_place) || last || (due && m_spec.steps)) validate();
    if (due && !m_stopped && m_savedStep != m_place.step) {
        m_report.enter(wire::Phase::Checkpoint, "");
        saveState();
        if (!last) m_report.enter(wire::Phase::Train, "");
    }
    if (m_commanded && !m_stopped && !m_endEarly && !last) applyCommands();
    m_settledStep = m_place.step;
    return m_stopped || m_endEarly;
}

// Whether the step in progress will be the last of its window, as far as can be told before it.
bool Trainer::reportsNext() const {
    return m_window.size() + 1 >= m_window.target() || m_plan.reportsAfterNext(m_spec.checkpoint, m_place);
}

// Collective. Rank 0 reports every step since the last time; all learn whether to stop.
Result<void> Trainer::reportSteps() {
    m_progress.setCollective(Engine::tr("reduce the metrics"));
    const auto steps = static_cast<std::int64_t>(m_window.size());
    if (steps == 0) return {};
    m_window.waitForDevice();
    if (m_gradNormLater.defined()) m_gradNorm = std::exchange(m_gradNormLater, {}).item<double>();
    const StepTimes times = m_window.times();
    const auto reduced = m_window.reduce(m_group, {.stop = m_report.stopRequested(),
                                                   .commands = m_report.commandWaits(),
                                                   .orphaned = m_report.orphaned(),
                                                   .unreported = m_series.windowsUnreported()});
    m_commanded = reduced.commands;
    m_progress.samplesPerSecond = times.samples / std::max(1e-9, times.total());
    reportShares(times);
    m_stopped = reduced.saveAndStop || reduced.stopNow;
    m_saveOnStop = m_stopped && !reduced.stopNow;
    if (m_nonFinite.endsRun()) // else the step itself was looked at
        for (std::int64_t i = 0; i < steps; ++i)
            if (!std::isfinite(reduced.steps[static_cast<std::size_t>(i)].front())) {
                publishMetrics(reduced, i); // what came before it belongs to the curve
                return lossIsNotFinite(m_place.step - steps + 1 + i);
            }
    if (m_group.rank() == 0) publishWindow(reduced, times);
    return {};
}

// Over some seconds, since what a rank is held up by falls anywhere in the few steps of one window.
void Trainer::reportShares(const StepTimes& times) {
    m_progress.dataSeconds = m_progress.dataSeconds + times.data;
    m_progress.computeSeconds = m_progress.computeSeconds + times.compute;
    m_progress.commSeconds = m_progress.commSeconds + times.comm;
    m_recentTimes *= std::exp(-times.total() / kShareSeconds);
    m_recentTimes += times;
    const double total = std::max(1e-9, m_recentTimes.total());
    m_progress.dataShare = m_recentTimes.data / total;
    m_progress.commShare = m_recentTimes.comm / total;
    m_progress.computeShare = m_recentTimes.compute / total;
    m_progress.forwardShare = m_recentTimes.forward / total;
    m_progress.backwardShare = m_recentTimes.backward / total;
    m_progress.optimizerShare = m_recentTimes.optimizer / total;
}

// Rank 0: one point for each of the first `count` steps of the window.
void Trainer::publishMetrics(const StepWindow::Reduced& reduced, std::int64_t count) {
    if (m_group.rank() != 0) return;
    const auto steps = static_cast<std::int64_t>(reduced.steps.size());
    const auto names = m_task->trainSeries();
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t step = m_place.step - steps + 1 + i;
        const auto stepsAgo = static_cast<double>(steps - 1 - i);
        const double epoch = epochNow() - stepsAgo / static_cast<double>(m_plan.stepsPerEpoch);
        const double ago = stepsAgo * reduced.secondsPerStep;
        const auto metrics = m_task->trainMetrics(reduced.steps[static_cast<std::size_t>(i)]);
        for (std::size_t f = 0; f < names.size(); ++f) // a step that was skipped has none
            if (std::isfinite(metrics[f])) m_series.point(names[f], step, epoch, metrics[f], ago);
    }
}

// Rank 0: the metrics of each step, and one point for all of them where a mean tells enough.
void Trainer::publishWindow(const StepWindow::Reduced& reduced, const StepTimes& times) {
    publishMetrics(reduced, static_cast<std::int64_t>(reduced.steps.size()));
    if (m_lrStep != m_place.step)
        m_series.point("lr", m_place.step, epochNow(), m_lastLr); // a constant one is a curve too
    m_series.point("grad_norm", m_place.step, epochNow(), m_gradNorm);
    if (const std::string spike = m_policy.observeNorm(m_gradNorm, m_place.step); !spike.empty()) say(spike);
    if (times.steps > 0) publishTimes(times, reduced.secondsPerStep); // else it has just come and took none of them
    m_series.endWindow();
}

void Trainer::publishTimes(const StepTimes& times, double secondsPerStep) {
    const double count = times.steps;
    const double perStep = times.samples / count * m_group.worldSize(); // every rank has as many
    m_series.point("samples_per_s", m_place.step, epochNow(), perStep / std::max(1e-9, secondsPerStep));
    m_series.point("time/step", m_place.step, epochNow(), times.total() / count);
    m_series.point("time/data", m_place.step, epochNow(), times.data / count);
    m_series.point("time/comm", m_place.step, epochNow(), times.comm / count);
    m_series.point("time/forward", m_place.step, epochNow(), times.forward / count);
    m_series.point("time/backward", m_place.step, epochNow(), times.backward / count);
    m_series.point("time/optimizer", m_place.step, epochNow(), times.optimizer / count);
}

// The last checkpoint is written, and every rank has rank 0's buffers, when this returns.
Result<void> Trainer::finishUp() {
    const bool save = !m_stopped || m_saveOnStop;
    m_report.enter(wire::Phase::Checkpoint, ""); // rank 0 may write for long, while the others test
    if (!save) shareBuffers();
    else if (m_savedStep != m_place.step) saveState();
    m_progress.setDoing(Engine::tr("write the last checkpoint"));
    if (m_writer) TY_TRY(m_writer->wait());
    return {};
}

} // namespace trainyard::train
