// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/journal/published_state.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace trainyard::run {
namespace {

constexpr double kSendSeconds = 0.25; // for progress
constexpr double kStoreSeconds = 1.0;
constexpr double kEtaWindow = 20; // seconds of steps the time left follows from
constexpr double kLeastEtaWindow = 0.3;

bool isSame(const wire::Heartbeat& a, const wire::Heartbeat& b) {
    const auto all = [](const wire::Heartbeat& beat) {
        return std::tie(beat.step, beat.totalSteps, beat.epoch, beat.totalEpochs, beat.samplesPerSecond, beat.dataShare,
                        beat.computeShare, beat.commShare, beat.residentBytes, beat.doing, beat.forwardShare,
                        beat.backwardShare, beat.optimizerShare, beat.activity);
    };
    return all(a) == all(b);
}

bool isSame(const wire::WorkerState& a, const wire::WorkerState& b) {
    return std::tie(a.rank, a.host, a.pid, a.device, a.status) == std::tie(b.rank, b.host, b.pid, b.device, b.status) &&
           isSame(a.beat, b.beat);
}

} // namespace

double PublishedState::due() const {
    return m_changed ? m_sent + kSendSeconds : std::numeric_limits<double>::infinity();
}

bool PublishedState::send(double now) {
    m_changed = false;
    m_sent = now;
    if (now - m_stored < kStoreSeconds) return false;
    m_stored = now;
    return true;
}

void PublishedState::setWorker(const wire::WorkerState& worker) {
    auto& known = workers[static_cast<std::size_t>(worker.rank)];
    if (isSame(known, worker)) return; // a program that stands still costs nothing
    known = worker;
    change();
}

void PublishedState::applyBeat(const wire::Heartbeat& beat, double samples, bool paused, double now) {
    const auto shown = [this] {
        return std::tuple(step, epoch, totalSteps, totalEpochs, samplesPerSecond, etaSeconds);
    };
    const auto before = shown();
    step = std::max(beat.step, step);
    epoch = beat.epoch;
    totalSteps = beat.totalSteps;
    if (beat.totalEpochs > 0) totalEpochs = beat.totalEpochs;
    samplesPerSecond = samples;
    if (paused) m_steps.clear();
    updateEta(now);
    if (shown() != before) change();
}

void PublishedState::updateEta(double now) {
    m_steps.emplace_back(now, step);
    while (m_steps.size() > 2 && now - m_steps.front().first > kEtaWindow) m_steps.pop_front();
    const double seconds = now - m_steps.front().first;
    const auto steps = static_cast<double>(step - m_steps.front().second);
    const auto left = static_cast<double>(totalSteps - step);
    const bool isKnown = totalSteps > 0 && seconds > kLeastEtaWindow && steps > 0; // a program tells no length
    etaSeconds = isKnown ? std::max(0.0, left) * seconds / steps : -1;
}

bool PublishedState::applyPhase(const wire::PhaseChange& entered) {
    const bool starting = phase < wire::Phase::Train;
    if (starting && entered.phase > phase) checklist[wire::toString(phase)] = entered.seconds - m_phaseEntered;
    if (entered.phase != phase) m_phaseEntered = entered.seconds; // it may be told of twice, the second time in detail
    phase = entered.phase;
    return starting && phase == wire::Phase::Train;
}

void PublishedState::applyPoints(const std::vector<wire::SeriesPoints>& series) {
    for (const auto& each : series) {
        trainSeconds = std::max(trainSeconds, each.points.back().seconds);
        m_newestPoint = std::max(m_newestPoint, each.points.back().step);
    }
    step = std::max(step, m_newestPoint); // sooner than the next heartbeat says it
}

void PublishedState::applyPause(bool paused, std::int64_t afterStep) {
    step = std::max(step, afterStep);
    etaSeconds = -1;
    if (paused) samplesPerSecond = 0;
    m_steps.clear();
}

void PublishedState::rewind(std::int64_t toStep) {
    step = m_newestPoint = std::max<std::int64_t>(toStep, 0);
    change();
}

void PublishedState::relaunch() {
    m_steps.clear();
    workers.clear();
    phase = wire::Phase::Start;
}

} // namespace trainyard::run
