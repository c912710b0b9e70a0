// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/channel_thread.h"

#include "engine/base/clock.h"
#include "remote/ssh/link_loss.h"
#include "remote/ssh/ssh_limits.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

namespace trainyard::remote {
namespace {

constexpr double kStoppingSeconds = 0.05; // between two looks whether it may end

} // namespace

Result<std::unique_ptr<ChannelThread>> ChannelThread::start(std::unique_ptr<Transport> transport, std::string label) {
    std::unique_ptr<ChannelThread> thread(new ChannelThread(std::move(transport), std::move(label)));
    std::promise<Result<void>> ready;
    auto begun = ready.get_future();
    thread->m_thread =
        std::thread([&self = *thread, promise = std::move(ready)]() mutable { self.run(std::move(promise)); });
    TY_TRY(begun.get());
    return thread;
}

ChannelThread::ChannelThread(std::unique_ptr<Transport> transport, std::string label)
    : m_label(std::move(label)), m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), m_transport(std::move(transport)) {}

ChannelThread::~ChannelThread() {
    m_stopping = true;
    wake();
    if (m_thread.joinable()) m_thread.join();
}

std::future<Result<void>> ChannelThread::open(OpenRequest request) {
    auto answer = request.opened.get_future();
    {
        const MutexLock lock(m_mutex);
        if (m_lost) {
            request.opened.set_value(connectionLost(m_lossReason, m_label));
            return answer;
        }
        ++m_count;
        m_requests.push_back(std::move(request));
    }
    wake();
    return answer;
}

std::string ChannelThread::lossReason() const {
    const MutexLock lock(m_mutex);
    return m_lossReason;
}

void ChannelThread::wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_wake.get(), &one, sizeof one);
}

bool ChannelThread::hasRequests() const {
    const MutexLock lock(m_mutex);
    return !m_requests.empty();
}

std::optional<OpenRequest> ChannelThread::next() {
    const MutexLock lock(m_mutex);
    if (m_requests.empty()) return std::nullopt;
    std::optional<OpenRequest> request(std::move(m_requests.front()));
    m_requests.pop_front();
    return request;
}

void ChannelThread::run(std::promise<Result<void>> ready) {
    auto begun = m_transport->begin();
    const bool works = begun.ok();
    if (works) {
        ready.set_value({});
        loop();
    }
    const bool wasLost = m_lost;
    lose(works ? "the connection was closed" : begun.error().message);
    m_transport->end(wasLost);
    if (!works) ready.set_value(std::move(begun));
}

void ChannelThread::loop() {
    bool busy = true;
    while (!mayEnd()) {
        waitForWork(busy);
        busy = false;
        if (m_lost) continue;
        openNext();
        busy = serviceAll();
    }
}

// Channels with a holder are not waited for.
bool ChannelThread::mayEnd() {
    if (!m_stopping) return false;
    if (m_lost) return true;
    if (m_stopDeadline == 0) m_stopDeadline = monotonicSeconds() + kLastSeconds;
    const bool sending = std::ranges::any_of(m_channels, [](const auto& channel) { return !channel->hasHolder(); });
    return (!sending && !hasRequests()) || monotonicSeconds() > m_stopDeadline;
}

void ChannelThread::waitForWork(bool busy) {
    std::vector<pollfd> fds{{m_wake.get(), POLLIN, 0}};
    if (!m_lost) m_transport->addPollFds(fds, m_channels);
    const std::size_t ofTransport = fds.size() - 1;
    for (const auto& channel : m_channels) channel->addPollFds(fds);
    const double longest = m_stopping ? kStoppingSeconds : m_lost ? kProbeSeconds : m_transport->secondsUntilCheck();
    ::poll(fds.data(), fds.size(), busy ? 0 : static_cast<int>(longest * 1000) + 1);
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t drained = ::read(m_wake.get(), &count, sizeof count);
    if (m_lost) return;
    if (const auto reason = m_transport->check(std::span(fds).subspan(1, ofTransport))) lose(*reason);
}

void ChannelThread::openNext() {
    auto request = next();
    if (!request) return;
    if (request->signalledGroup != 0)
        for (const auto& each : m_channels) each->signalled(request->signalledGroup, request->signalNumber);
    auto channel = m_transport->open(*request);
    if (channel) return m_channels.push_back(std::move(channel).value());
    --m_count;
    const bool lost = channel.error().code == ErrorCode::ConnectionLost;
    request->opened.set_value(std::move(channel).error());
    if (lost) lose(m_transport->whyLost());
}

bool ChannelThread::serviceAll() {
    bool moved = false;
    for (std::size_t i = 0; i < m_channels.size();) {
        const auto outcome = m_channels[i]->service();
        if (outcome == TransportChannel::Outcome::LinkLost) {
            lose(m_transport->whyLost());
            return false;
        }
        moved = moved || outcome != TransportChannel::Outcome::Idle;
        if (outcome == TransportChannel::Outcome::Ended) {
            m_channels.erase(m_channels.begin() + static_cast<std::ptrdiff_t>(i));
            --m_count;
        } else {
            ++i;
        }
    }
    return moved || hasRequests();
}

// The first reason is reported.
void ChannelThread::lose(const std::string& reason) {
    std::deque<OpenRequest> requests;
    {
        const MutexLock lock(m_mutex);
        if (m_lossReason.empty()) m_lossReason = reason;
        m_lost = true;
        requests.swap(m_requests);
    }
    m_count = 0;
    for (auto& request : requests) request.opened.set_value(connectionLost(reason, m_label));
    for (const auto& channel : m_channels) channel->lose(reason);
    m_channels.clear();
}

} // namespace trainyard::remote
