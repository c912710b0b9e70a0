// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/rank_outbox.h"

#include "engine/base/machine/resident_memory.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace trainyard::train {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBeatEvery = std::chrono::milliseconds(500);
constexpr auto kSampleEvery = std::chrono::milliseconds(950); // with every second beat

} // namespace

RankOutbox::RankOutbox(Options options) : m_options(std::move(options)), m_nextBeat(Clock::now()) {
    m_thread = std::thread([this] { writeLoop(); });
}

void RankOutbox::end() {
    if (!m_thread.joinable()) return;
    flush(std::chrono::seconds(2));
    {
        const MutexLock lock(m_mutex);
        m_ending = true;
    }
    m_wake.notifyAll();
    m_thread.join();
}

bool RankOutbox::giveUp() {
    const bool first = !m_givenUp.exchange(true);
    m_written.notifyAll();
    return first;
}

void RankOutbox::send(wire::Message message) {
    const MutexLock lock(m_mutex);
    // With each phase, so that the steps of a run are known that is over before the next beat is due.
    if (std::holds_alternative<wire::PhaseChange>(message)) m_nextBeat = Clock::now();
    m_queue.push_back(std::move(message));
    m_wake.notifyAll();
}

void RankOutbox::startHeartbeats() {
    const MutexLock lock(m_mutex);
    m_beating = true;
    m_nextSample = Clock::now() + kSampleEvery;
    m_wake.notifyAll();
}

void RankOutbox::addPoint(const std::string& series, const wire::Point& point) {
    const MutexLock lock(m_mutex);
    m_points.add(series, point);
    m_unstored.add(series, point);
}

std::uint64_t RankOutbox::pointsStored() const {
    const MutexLock lock(m_mutex);
    return m_unstored.storedCount();
}

UnstoredPoints::Series RankOutbox::unstoredPoints() const {
    const MutexLock lock(m_mutex);
    return m_unstored.series();
}

void RankOutbox::voidPointsAfter(std::int64_t step) {
    const MutexLock lock(m_mutex);
    m_unstored.voidAfter(step);
}

void RankOutbox::sendPoints() {
    const MutexLock lock(m_mutex);
    if (m_points.isEmpty()) return;
    m_points.hasten();
    m_wake.notifyAll();
}

void RankOutbox::pointsStoredBefore(std::int64_t step) {
    const MutexLock lock(m_mutex);
    m_unstored.storedBefore(step);
}

bool RankOutbox::flush(std::chrono::milliseconds timeout) {
    MutexLock lock(m_mutex);
    m_points.sendBy(Clock::now());
    m_wake.notifyAll();
    const auto until = Clock::now() + timeout;
    while (!m_givenUp && (!m_queue.empty() || !m_points.isEmpty() || m_writing))
        if (!m_written.waitUntil(lock, until)) return false;
    return true;
}

void RankOutbox::writeLoop() {
    MutexLock lock(m_mutex);
    while (!m_givenUp) {
        const auto now = Clock::now(), until = std::min(m_beating ? m_nextBeat : now + kBeatEvery, m_points.due(now));
        if (m_queue.empty() && !m_ending) m_wake.waitUntil(lock, until); // woken for nothing: once more
        if (m_beating && Clock::now() >= m_nextSample) {
            // A driver may be slow to answer, so the training thread is not kept from adding points meanwhile.
            lock.unlock();
            const auto sample = m_sampler.take(m_options.progress, m_options.localRank() == 0, m_gpu);
            lock.lock();
            m_queue.push_back(sample);
            m_nextSample = Clock::now() + kSampleEvery;
        }
        const auto bytes = nextBytes();
        if (bytes.empty()) {
            if (m_ending) return;
            continue;
        }
        m_writing = true;
        lock.unlock();
        const bool written = writeAll(bytes);
        if (!written) m_options.onBroken(systemError("cannot write to the supervisor"));
        lock.lock();
        m_writing = false;
        m_written.notifyAll();
    }
}

// Points go before the messages queued behind them, so that nothing arrives after Finished or a checkpoint it belongs
// to.
std::vector<std::byte> RankOutbox::nextBytes() {
    std::vector<std::byte> bytes;
    const auto now = Clock::now();
    if (!m_points.isEmpty() && (now >= m_points.due(now) || !m_queue.empty())) m_points.takeAll(bytes, now);
    const auto append = [&bytes](const wire::Message& message) {
        const auto frame = wire::encodeMessage(message);
        bytes.insert(bytes.end(), frame.begin(), frame.end());
    };
    for (; !m_queue.empty(); m_queue.pop_front()) append(m_queue.front());
    if (m_beating && now >= m_nextBeat) {
        append(heartbeat());
        m_nextBeat = now + kBeatEvery;
    }
    return bytes;
}

wire::Heartbeat RankOutbox::heartbeat() const {
    const Progress& progress = m_options.progress;
    wire::Heartbeat beat;
    beat.step = progress.step;
    beat.totalSteps = progress.totalSteps;
    beat.epoch = progress.epoch;
    beat.totalEpochs = progress.totalEpochs;
    beat.samplesPerSecond = progress.samplesPerSecond;
    beat.dataShare = progress.dataShare;
    beat.computeShare = progress.computeShare;
    beat.commShare = progress.commShare;
    beat.forwardShare = progress.forwardShare;
    beat.backwardShare = progress.backwardShare;
    beat.optimizerShare = progress.optimizerShare;
    beat.residentBytes = residentMemory().bytes;
    beat.doing = progress.doing();
    beat.activity = progress.activity();
    return beat;
}

bool RankOutbox::writeAll(const std::vector<std::byte>& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::write(m_options.fd, bytes.data() + done, bytes.size() - done);
        if (n > 0) {
            done += static_cast<std::size_t>(n);
        } else if (n < 0 && errno == EAGAIN) {
            pollfd fd{m_options.fd, POLLOUT, 0};
            ::poll(&fd, 1, 1000);
        } else if (n < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

} // namespace trainyard::train
