// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/channel_thread.h"

#include "engine/base/clock.h"
#include "engine/base/machine/mutex.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace trainyard::remote {
namespace {

constexpr double kLastSeconds = 2;

} // namespace

ChannelQueue::ChannelQueue(std::string label)
    : m_label(std::move(label)), m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

std::future<Result<void>> ChannelQueue::push(OpenRequest request) {
    auto answer = request.opened.get_future();
    {
        const MutexLock lock(m_mutex);
        if (m_lost) {
            request.opened.set_value(connectionLost(m_lossReason, m_label));
            return answer;
        }
        ++m_channels;
        m_requests.push_back(std::move(request));
    }
    wake();
    return answer;
}

void ChannelQueue::stop() {
    m_stopping = true;
    wake();
}

void ChannelQueue::wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_wake.get(), &one, sizeof one);
}

void ChannelQueue::drainWake() {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t drained = ::read(m_wake.get(), &count, sizeof count);
}

std::string ChannelQueue::lossReason() const {
    const MutexLock lock(m_mutex);
    return m_lossReason;
}

bool ChannelQueue::empty() const {
    const MutexLock lock(m_mutex);
    return m_requests.empty();
}

std::optional<OpenRequest> ChannelQueue::next() {
    const MutexLock lock(m_mutex);
    if (m_requests.empty()) return std::nullopt;
    std::optional<OpenRequest> request(std::move(m_requests.front()));
    m_requests.pop_front();
    return request;
}

void ChannelQueue::lose(const std::string& reason) {
    std::deque<OpenRequest> requests;
    {
        const MutexLock lock(m_mutex);
        if (m_lossReason.empty()) m_lossReason = reason;
        m_lost = true;
        requests.swap(m_requests);
    }
    m_channels = 0;
    for (auto& request : requests) request.opened.set_value(connectionLost(reason, m_label));
}

bool ChannelQueue::mayEnd(bool sending) {
    if (!m_stopping) return false;
    if (m_lost) return true;
    if (m_stopDeadline == 0) m_stopDeadline = monotonicSeconds() + kLastSeconds;
    return (!sending && empty()) || monotonicSeconds() > m_stopDeadline;
}

} // namespace trainyard::remote
