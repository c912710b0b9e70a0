// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/rank_channel.h"

#include "engine/base/machine/resident_memory.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

namespace trainyard::train {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBeatEvery = std::chrono::milliseconds(500);
constexpr auto kSampleEvery = std::chrono::milliseconds(950); // with every second beat
constexpr int kLookEveryMs = 500;                             // at the link

} // namespace

RankChannel::RankChannel(Options options) : m_options(std::move(options)), m_wakeReader(eventfd(0, EFD_CLOEXEC)) {
    m_nextBeat = Clock::now();
    m_reader = std::thread([this] { readLoop(); });
    m_writer = std::thread([this] { writeLoop(); });
}

RankChannel::~RankChannel() {
    flush(std::chrono::seconds(2));
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
    }
    m_wakeWriter.notify_all();
    m_arrived.notify_all();
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(m_wakeReader, &one, sizeof one);
    m_writer.join();
    m_reader.join();
    ::close(m_wakeReader);
}

wire::Start RankChannel::waitForStart() {
    std::unique_lock lock(m_mutex);
    m_arrived.wait(lock, [this] { return m_start || m_ending; });
    return m_start.value_or(wire::Start{});
}

void RankChannel::startHeartbeats() {
    const std::lock_guard lock(m_mutex);
    m_beating = true;
    m_nextSample = Clock::now() + kSampleEvery;
    m_wakeWriter.notify_all();
}

void RankChannel::send(wire::Message message) {
    const std::lock_guard lock(m_mutex);
    // With each phase, so that the steps of a run are known that is over before the next beat is due.
    if (const auto* change = std::get_if<wire::PhaseChange>(&message)) {
        m_nextBeat = Clock::now();
        m_saving = change->phase == wire::Phase::Validate || change->phase == wire::Phase::Checkpoint;
    }
    m_queue.push_back(std::move(message));
    m_wakeWriter.notify_all();
}

void RankChannel::addPoint(const std::string& series, const wire::Point& point) {
    const std::lock_guard lock(m_mutex);
    m_points.add(series, point);
    m_unstored.add(series, point);
}

std::uint64_t RankChannel::pointsStored() const {
    const std::lock_guard lock(m_mutex);
    return m_unstored.storedCount();
}

UnstoredPoints::Series RankChannel::unstoredPoints() const {
    const std::lock_guard lock(m_mutex);
    return m_unstored.series();
}

void RankChannel::voidPointsAfter(std::int64_t step) {
    const std::lock_guard lock(m_mutex);
    m_unstored.voidAfter(step);
}

void RankChannel::sendPoints() {
    const std::lock_guard lock(m_mutex);
    if (m_points.isEmpty()) return;
    m_points.hasten();
    m_wakeWriter.notify_all();
}

bool RankChannel::flush(std::chrono::milliseconds timeout) {
    std::unique_lock lock(m_mutex);
    m_points.sendBy(Clock::now());
    m_wakeWriter.notify_all();
    return m_written.wait_for(lock, timeout,
                              [this] { return m_lost || (m_queue.empty() && m_points.isEmpty() && !m_writing); });
}

std::optional<wire::StopMode> RankChannel::stopRequested() const {
    const int mode = m_stop.load(std::memory_order_relaxed);
    if (mode < 0) return std::nullopt;
    return static_cast<wire::StopMode>(mode);
}

void RankChannel::requestStop(wire::StopMode mode) {
    int known = m_stop.load();
    while (known < static_cast<int>(mode) && !m_stop.compare_exchange_weak(known, static_cast<int>(mode))) {}
}

void RankChannel::terminate() {
    m_terminated = true;
    requestStop(wire::StopMode::SaveAndStop);
}

std::vector<wire::Command> RankChannel::takeCommands() {
    const std::lock_guard lock(m_mutex);
    m_commandWaits = false;
    return std::exchange(m_commands, {});
}

Result<wire::StoreReply> RankChannel::ask(const std::function<wire::Message(std::int64_t)>& makeMessage,
                                          std::chrono::milliseconds timeout) {
    std::unique_lock lock(m_mutex);
    const std::int64_t request = m_nextRequest++;
    const int generation = m_generation;
    m_replies[request] = std::nullopt;
    m_queue.push_back(makeMessage(request));
    m_wakeWriter.notify_all();
    m_arrived.wait_for(lock, timeout, [&] {
        return m_replies[request].has_value() || m_ending || m_lost || isAlone() || m_generation != generation;
    });
    auto reply = std::move(m_replies[request]);
    m_replies.erase(request);
    if (!reply && m_generation != generation)
        return runError("another rank was lost meanwhile").withCode(ErrorCode::PeerLost);
    if (!reply) return runError("the supervisor did not answer in " + std::to_string(timeout.count()) + " ms");
    return std::move(*reply);
}

Result<wire::Regroup> RankChannel::waitForRegroup(int generation, std::chrono::milliseconds timeout) {
    std::unique_lock lock(m_mutex);
    const bool came =
        m_arrived.wait_for(lock, timeout, [&] { return m_generation > generation || m_ending || isOrphaned(); });
    if (!came || !m_regroup || m_ending || m_generation <= generation)
        return runError("the supervisor announced no replacement within " + std::to_string(timeout.count() / 1000) +
                        " s");
    return *m_regroup;
}

void RankChannel::readLoop() {
    wire::Decoder decoder;
    std::array<pollfd, 2> fds{pollfd{m_options.readFd, POLLIN, 0}, pollfd{m_wakeReader, POLLIN, 0}};
    while (true) {
        if (::poll(fds.data(), fds.size(), kLookEveryMs) < 0 && errno != EINTR) return lost(systemError("poll failed"));
        if (fds[1].revents != 0) return; // ending
        if (fds[0].revents != 0 && !readInput(decoder)) fds[0].fd = -1;
        watchLink();
    }
}

bool RankChannel::readInput(wire::Decoder& decoder) {
    std::array<std::byte, 65536> buffer;
    const ssize_t n = ::read(m_options.readFd, buffer.data(), buffer.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (n <= 0) {
        supervisorGone(environmentError("the supervisor is gone"));
        return false;
    }
    m_switch.heard();
    decoder.feed(std::span(buffer).first(static_cast<std::size_t>(n)));
    while (true) {
        auto frame = decoder.next();
        if (frame && !*frame) return true;
        auto message = frame ? wire::decodeMessage(**frame) : Result<wire::Message>(frame.error());
        if (!message) {
            lost(message.error());
            return false;
        }
        handle(std::move(message).value());
    }
}

void RankChannel::handle(wire::Message message) {
    if (const auto* stop = std::get_if<wire::Stop>(&message)) {
        if (stop->mode == wire::StopMode::Kill) return lost(stoppedError("killed on request"));
        return requestStop(stop->mode);
    }
    if (const auto* alive = std::get_if<wire::Alive>(&message)) return noteAlive(*alive);
    const bool regroup = std::holds_alternative<wire::Regroup>(message);
    if (regroup) {
        m_abort.raise();
        if (m_options.onRegroup) m_options.onRegroup();
    }
    const std::lock_guard lock(m_mutex);
    if (regroup) {
        m_regroup = std::get<wire::Regroup>(message);
        m_generation = m_regroup->generation;
    } else if (auto* start = std::get_if<wire::Start>(&message)) {
        m_start = std::move(*start);
    } else if (auto* command = std::get_if<wire::Command>(&message)) {
        m_commands.push_back(std::move(*command));
        m_commandWaits = true;
    } else if (auto* reply = std::get_if<wire::StoreReply>(&message)) {
        if (const auto waiting = m_replies.find(reply->request); waiting != m_replies.end())
            waiting->second = std::move(*reply);
    }
    m_arrived.notify_all();
}

void RankChannel::writeLoop() {
    std::unique_lock lock(m_mutex);
    while (!m_lost) {
        const auto now = Clock::now(), until = std::min(m_beating ? m_nextBeat : now + kBeatEvery, m_points.due(now));
        if (m_queue.empty() && !m_ending) m_wakeWriter.wait_until(lock, until); // woken for nothing: once more
        if (m_beating && Clock::now() >= m_nextSample) sampleSystem(lock);
        const auto bytes = nextBytes(lock);
        if (bytes.empty()) {
            if (m_ending) return;
            continue;
        }
        m_writing = true;
        lock.unlock();
        const bool written = writeAll(bytes);
        if (!written) supervisorGone(systemError("cannot write to the supervisor"));
        lock.lock();
        m_writing = false;
        m_written.notify_all();
    }
}

// Points go before the messages queued behind them, so that nothing arrives after Finished or a checkpoint it belongs
// to.
std::vector<std::byte> RankChannel::nextBytes(std::unique_lock<std::mutex>&) {
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

wire::Heartbeat RankChannel::heartbeat() const {
    wire::Heartbeat beat;
    beat.step = m_progress.step;
    beat.totalSteps = m_progress.totalSteps;
    beat.epoch = m_progress.epoch;
    beat.totalEpochs = m_progress.totalEpochs;
    beat.samplesPerSecond = m_progress.samplesPerSecond;
    beat.dataShare = m_progress.dataShare;
    beat.computeShare = m_progress.computeShare;
    beat.commShare = m_progress.commShare;
    beat.forwardShare = m_progress.forwardShare;
    beat.backwardShare = m_progress.backwardShare;
    beat.optimizerShare = m_progress.optimizerShare;
    beat.residentBytes = residentMemory().bytes;
    beat.doing = m_progress.doing();
    beat.activity = m_progress.activity();
    return beat;
}

// A driver may be slow to answer, so the training thread is not kept from adding points meanwhile.
void RankChannel::sampleSystem(std::unique_lock<std::mutex>& lock) {
    const int localRank = m_regroup ? m_regroup->localRank : m_start ? m_start->localRank : -1;
    lock.unlock();
    const auto sample = m_sampler.take(m_progress, localRank == 0, m_gpu);
    lock.lock();
    m_queue.push_back(sample);
    m_nextSample = Clock::now() + kSampleEvery;
}

bool RankChannel::writeAll(const std::vector<std::byte>& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t n = ::write(m_options.writeFd, bytes.data() + done, bytes.size() - done);
        if (n > 0) {
            done += static_cast<std::size_t>(n);
        } else if (n < 0 && errno == EAGAIN) {
            pollfd fd{m_options.writeFd, POLLOUT, 0};
            ::poll(&fd, 1, 1000);
        } else if (n < 0 && errno != EINTR) {
            return false;
        }
    }
    return true;
}

void RankChannel::noteAlive(const wire::Alive& alive) {
    const std::lock_guard lock(m_mutex);
    m_unstored.storedBefore(alive.storedStep);
}

// Nothing more comes or goes. What has a state to save has its time for that.
void RankChannel::supervisorGone(Error error) {
    if (!m_savesOrphaned) return lost(std::move(error));
    if (m_lost.exchange(true)) return;
    std::fprintf(stderr, "%s: the ranks save and end\n", error.text().c_str());
    m_switch.cut();
    m_written.notify_all();
    m_arrived.notify_all();
}

void RankChannel::watchLink() {
    if (m_terminated) m_switch.askedToEnd();
    const auto action = m_switch.look(m_saving);
    if (action == DeadMansSwitch::Action::GoOn) return;
    if (action == DeadMansSwitch::Action::End || (action == DeadMansSwitch::Action::SaveAlone && !m_savesOrphaned))
        return lost(environmentError("the supervisor is gone, and saving takes too long"));
    if (!m_savesOrphaned) requestStop(wire::StopMode::SaveAndStop);
    if (isAlone() && !std::exchange(m_leftGroup, true)) {
        m_abort.raise();
        if (m_options.onRegroup) m_options.onRegroup();
    }
    m_arrived.notify_all();
}

void RankChannel::lost(Error error) {
    m_lost = true;
    m_written.notify_all();
    m_arrived.notify_all();
    if (m_options.onLost && !m_leaving.exchange(true)) m_options.onLost(error);
}

} // namespace trainyard::train
