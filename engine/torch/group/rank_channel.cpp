// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/group/rank_channel.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

namespace trainyard::train {
namespace {

constexpr int kLookEveryMs = 500; // at the link

} // namespace

RankChannel::RankChannel(Options options)
    : m_options(std::move(options)), m_wakeReader(eventfd(0, EFD_CLOEXEC)),
      m_outbox({.fd = m_options.writeFd,
                .progress = m_progress,
                .localRank = [this] { return m_inbox.localRank(); },
                .onBroken = [this](const Error& error) { supervisorGone(error); }}) {
    m_reader = std::thread([this] { readLoop(); });
}

RankChannel::~RankChannel() {
    m_outbox.end();
    m_inbox.end();
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(m_wakeReader, &one, sizeof one);
    m_reader.join();
    ::close(m_wakeReader);
}

void RankChannel::send(wire::Message message) {
    if (const auto* change = std::get_if<wire::PhaseChange>(&message))
        m_saving = change->phase == wire::Phase::Validate || change->phase == wire::Phase::Checkpoint;
    m_outbox.send(std::move(message));
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

Result<wire::StoreReply> RankChannel::ask(const std::function<wire::Message(std::int64_t)>& makeMessage,
                                          std::chrono::milliseconds timeout) {
    return m_inbox.ask([&](std::int64_t request) { m_outbox.send(makeMessage(request)); }, timeout,
                       [this] { return m_outbox.hasGivenUp() || isAlone(); });
}

Result<wire::Regroup> RankChannel::waitForRegroup(int generation, std::chrono::milliseconds timeout) {
    return m_inbox.waitForRegroup(generation, timeout, [this] { return isOrphaned(); });
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
        // A run of the engine can save at any step.
        return requestStop(stop->mode == wire::StopMode::AtCheckpoint ? wire::StopMode::SaveAndStop : stop->mode);
    }
    if (const auto* alive = std::get_if<wire::Alive>(&message)) return m_outbox.pointsStoredBefore(alive->storedStep);
    if (std::holds_alternative<wire::Regroup>(message)) leaveGroup();
    m_inbox.put(std::move(message));
}

void RankChannel::leaveGroup() {
    m_abort.raise();
    if (m_options.onRegroup) m_options.onRegroup();
}

// Nothing more comes or goes. What has a state to save has its time for that.
void RankChannel::supervisorGone(Error error) {
    if (!m_savesOrphaned) return lost(std::move(error));
    if (!m_outbox.giveUp()) return;
    std::fprintf(stderr, "%s: the ranks save and end\n", error.text().c_str());
    m_switch.cut();
    m_inbox.wake();
}

void RankChannel::watchLink() {
    if (m_terminated) m_switch.askedToEnd();
    const auto action = m_switch.look(m_saving);
    if (action == DeadMansSwitch::Action::GoOn) return;
    if (action == DeadMansSwitch::Action::End || (action == DeadMansSwitch::Action::SaveAlone && !m_savesOrphaned))
        return lost(environmentError("the supervisor is gone, and saving takes too long"));
    if (!m_savesOrphaned) requestStop(wire::StopMode::SaveAndStop);
    if (isAlone() && !std::exchange(m_leftGroup, true)) leaveGroup();
    m_inbox.wake();
}

void RankChannel::lost(Error error) {
    m_outbox.giveUp();
    m_inbox.wake();
    if (m_options.onLost && !m_lostCalled.exchange(true)) m_options.onLost(error);
}

} // namespace trainyard::train
