// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/metrics/metrics_publisher.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard::train {
namespace {

constexpr double kShareSeconds = 3; // steps so long ago count a third

} // namespace

void MetricsPublisher::setTask(const Task& task, bool mayLosePeers) {
    m_task = &task;
    m_window = StepWindow(task.sumCount(), !mayLosePeers);
}

void MetricsPublisher::beginGroup(const ProcessGroup& group) { m_sums = StepSums(group); }

void MetricsPublisher::noteNorm(const StepReport& report) {
    if (report.gradNorm) m_gradNorm = *report.gradNorm;
    m_gradNormLater = report.gradNormLater;
}

void MetricsPublisher::endStep(double lr, const StepPlan& plan, const Place& place, bool publishes) {
    if (publishes && lr != m_lastLr) {
        m_series.point("lr", place.step, plan.epochs(place), lr);
        m_lrStep = place.step;
    }
    endLostStep(lr);
}

void MetricsPublisher::endLostStep(double lr) {
    m_lastLr = lr;
    m_window.endStep(m_sums.total(), m_times);
}

void MetricsPublisher::clear() {
    m_window.clear();
    m_series.forgetSteps();
}

std::optional<std::int64_t> MetricsPublisher::Reduced::firstNotFinite() const {
    const auto bad = std::find_if(steps.begin(), steps.end(), [](const auto& sums) { return !std::isfinite(sums[0]); });
    if (bad == steps.end()) return std::nullopt;
    return bad - steps.begin();
}

MetricsPublisher::Reduced MetricsPublisher::reduce(const ProcessGroup& group, StepWindow::ControlFlags flags) {
    m_window.waitForDevice();
    if (m_gradNormLater.defined()) m_gradNorm = std::exchange(m_gradNormLater, {}).item<double>();
    const StepTimes times = m_window.times();
    flags.unreported = m_series.windowsUnreported();
    Reduced reduced{m_window.reduce(group, flags), times};
    m_progress.samplesPerSecond = times.samples / std::max(1e-9, times.total());
    reportShares(times);
    return reduced;
}

// Over some seconds, since what a rank is held up by falls anywhere in the few steps of one window.
void MetricsPublisher::reportShares(const StepTimes& times) {
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

void MetricsPublisher::publishSteps(const Reduced& reduced, std::int64_t count, const StepPlan& plan,
                                    const Place& place) {
    const auto steps = static_cast<std::int64_t>(reduced.steps.size());
    const auto names = m_task->trainSeries();
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t step = place.step - steps + 1 + i;
        const auto stepsAgo = static_cast<double>(steps - 1 - i);
        const double epoch = plan.epochs(place) - stepsAgo / static_cast<double>(plan.stepsPerEpoch);
        const double ago = stepsAgo * reduced.secondsPerStep;
        const auto metrics = m_task->trainMetrics(reduced.steps[static_cast<std::size_t>(i)]);
        for (std::size_t f = 0; f < names.size(); ++f) // a step that was skipped has none
            if (std::isfinite(metrics[f])) m_series.point(names[f], step, epoch, metrics[f], ago);
    }
}

void MetricsPublisher::publish(const Reduced& reduced, const StepPlan& plan, const Place& place, int worldSize) {
    publishSteps(reduced, static_cast<std::int64_t>(reduced.steps.size()), plan, place);
    const double epoch = plan.epochs(place);
    if (m_lrStep != place.step) m_series.point("lr", place.step, epoch, m_lastLr); // a constant one is a curve too
    m_series.point("grad_norm", place.step, epoch, m_gradNorm);
    if (reduced.times.steps > 0) publishTimes(reduced, place.step, epoch, worldSize); // else it took none of them
    m_series.endWindow();
}

void MetricsPublisher::publishTimes(const Reduced& reduced, std::int64_t step, double epoch, int worldSize) {
    const StepTimes& times = reduced.times;
    const double count = times.steps;
    const double perStep = times.samples / count * worldSize; // every rank has as many
    m_series.point("samples_per_s", step, epoch, perStep / std::max(1e-9, reduced.secondsPerStep));
    m_series.point("time/step", step, epoch, times.total() / count);
    m_series.point("time/data", step, epoch, times.data / count);
    m_series.point("time/comm", step, epoch, times.comm / count);
    m_series.point("time/forward", step, epoch, times.forward / count);
    m_series.point("time/backward", step, epoch, times.backward / count);
    m_series.point("time/optimizer", step, epoch, times.optimizer / count);
}

MetricsPublisher::Held MetricsPublisher::held() const {
    return {static_cast<std::int64_t>(m_window.size()), static_cast<std::int64_t>(m_window.kept()),
            static_cast<std::int64_t>(m_window.target()), m_gradNorm, m_lastLr};
}

void MetricsPublisher::share(const ProcessGroup& group, int donor, const Held& newest, std::int64_t openSteps) {
    torch::Tensor bytes;
    if (group.rank() == donor) bytes = m_window.held().flatten().view(torch::kUInt8);
    bytes = group.broadcastBytes(bytes, donor, [this](int part) {
        m_progress.setCollective(Engine::tr("share the metrics of the last steps, part"), part);
    });
    const auto held = bytes.view(torch::kFloat64).view({-1, m_task->sumCount()});
    m_window.reopen(held, std::min(held.size(0), openSteps), static_cast<std::size_t>(newest.target));
    m_gradNorm = newest.gradNorm;
    m_lastLr = newest.lastLr;
}

} // namespace trainyard::train
