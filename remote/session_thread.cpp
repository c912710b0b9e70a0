// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/session_thread.h"

#include "engine/base/clock.h"

#include <libssh2.h>

#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::remote {
namespace {

constexpr double kProbeSeconds = 2;
constexpr double kOpenSeconds = 15;

} // namespace

SessionThread::SessionThread(std::unique_ptr<RawSession> raw, std::string label)
    : m_raw(std::move(raw)), m_label(std::move(label)), m_wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      m_thread([this] { loop(); }) {}

SessionThread::~SessionThread() {
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
    }
    wake();
    m_thread.join();
}

void SessionThread::wake() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(m_wake.get(), &one, sizeof one);
}

std::string SessionThread::lossReason() const {
    const std::scoped_lock lock(m_mutex);
    return m_lossReason;
}

std::future<Result<void>> SessionThread::open(OpenRequest request) {
    auto answer = request.opened.get_future();
    {
        const std::scoped_lock lock(m_mutex);
        if (m_lost) {
            request.opened.set_value(environmentError("the connection is lost: " + m_lossReason, m_label)
                                         .withCode(ErrorCode::ConnectionLost));
            return answer;
        }
        ++m_channels;
        m_requests.push_back(std::move(request));
    }
    wake();
    return answer;
}

void SessionThread::loop() {
    bool busy = true;
    while (!done()) {
        waitForWork(busy);
        if (m_lost) continue;
        openNext();
        busy = serviceAll();
    }
    if (!m_lost) libssh2_session_disconnect(m_raw->session(), "done");
    lose("the connection was closed");
}

// Stops at once when nothing is left to send; channels with a holder are not waited for.
bool SessionThread::done() {
    const std::scoped_lock lock(m_mutex);
    if (!m_stopping) return false;
    if (m_lost) return true;
    if (m_stopDeadline == 0) m_stopDeadline = monotonicSeconds() + 2;
    const bool sending =
        !m_requests.empty() || std::ranges::any_of(m_pumps, [](const auto& pump) { return !pump->holdsDescriptors(); });
    return !sending || monotonicSeconds() > m_stopDeadline;
}

void SessionThread::waitForWork(bool busy) {
    std::vector<pollfd> fds{{m_wake.get(), POLLIN, 0}};
    if (!m_lost) {
        const bool reading = m_pumps.empty()
                                 ? m_readIdle
                                 : std::ranges::any_of(m_pumps, [](const auto& pump) { return pump->wantsInbound(); });
        fds.push_back({m_raw->socket(), static_cast<short>(reading ? POLLIN : 0), 0});
        for (const auto& pump : m_pumps) pump->addPollFds(fds);
    }
    const double untilKeepalive = m_lost ? 10 : std::max(0.0, m_nextKeepalive - monotonicSeconds());
    const double longest = m_stopping ? 0.05 : untilKeepalive;
    ::poll(fds.data(), fds.size(), busy ? 0 : static_cast<int>(longest * 1000) + 1);
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t drained = ::read(m_wake.get(), &count, sizeof count);
    if (m_lost) return;

    const short happened = fds[1].revents;
    if ((happened & POLLERR) != 0) return lose(m_raw->socketTrouble());
    if (m_pumps.empty() && (happened & (POLLIN | POLLHUP)) != 0) {
        char byte = 0;
        const ssize_t peeked = ::recv(m_raw->socket(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (peeked == 0 || (peeked < 0 && errno != EAGAIN && errno != EINTR)) return lose(m_raw->socketTrouble());
        m_readIdle = false; // the next command reads it
    }
    if (monotonicSeconds() >= m_nextKeepalive) {
        // A keepalive that is sent by halves could not be finished later: only when there is room for it.
        pollfd writable{m_raw->socket(), POLLOUT, 0};
        int next = 0;
        if (::poll(&writable, 1, 0) == 1 && (writable.revents & POLLOUT) != 0)
            libssh2_keepalive_send(m_raw->session(), &next);
        m_nextKeepalive = monotonicSeconds() + kProbeSeconds;
    }
}

Result<_LIBSSH2_CHANNEL*> SessionThread::openChannel(const OpenRequest& request) {
    const double deadline = monotonicSeconds() + kOpenSeconds;
    LIBSSH2_SESSION* session = m_raw->session();
    LIBSSH2_CHANNEL* channel = nullptr;
    const bool connects = !request.address.empty();
    do
        channel = connects
                      ? libssh2_channel_direct_tcpip_ex(session, request.address.c_str(), request.port, "127.0.0.1", 0)
                      : libssh2_channel_open_ex(session, "session", 7, request.windowBytes,
                                                LIBSSH2_CHANNEL_PACKET_DEFAULT, nullptr, 0);
    while (channel == nullptr && m_raw->lastErrorCode() == LIBSSH2_ERROR_EAGAIN && m_raw->wait(deadline));
    if (channel == nullptr && m_raw->lastErrorCode() == LIBSSH2_ERROR_CHANNEL_FAILURE && connects)
        return environmentError("nothing answers at " + request.address + " port " + std::to_string(request.port) +
                                    " of the host",
                                m_label, "start what listens there; sshd may also forbid AllowTcpForwarding");
    if (channel == nullptr && m_raw->lastErrorCode() == LIBSSH2_ERROR_CHANNEL_FAILURE)
        return environmentError("the host allows no further channel on this connection", m_label,
                                "raise MaxSessions in the host's sshd_config");
    if (channel == nullptr) return environmentError("the host did not open a channel: " + m_raw->lastError(), m_label);
    if (connects) return channel;
    const int code = m_raw->repeat(deadline, [&] {
        return libssh2_channel_process_startup(channel, "exec", 4, request.command.data(),
                                               static_cast<unsigned>(request.command.size()));
    });
    if (code == 0) return channel;
    const Error error = environmentError("the host did not run a command: " + m_raw->lastError(), m_label,
                                         "check that the account may run programs (its shell, ForceCommand)");
    m_raw->repeat(monotonicSeconds() + 1, [&] { return libssh2_channel_free(channel); });
    return error;
}

void SessionThread::openNext() {
    std::optional<OpenRequest> request;
    {
        const std::scoped_lock lock(m_mutex);
        if (m_requests.empty()) return;
        request = std::move(m_requests.front());
        m_requests.pop_front();
    }
    m_readIdle = true;
    auto channel = openChannel(*request);
    if (!channel) {
        --m_channels;
        const std::string trouble = m_raw->socketTrouble();
        const int code = m_raw->lastErrorCode();
        request->opened.set_value(std::move(channel).error());
        if (code != LIBSSH2_ERROR_CHANNEL_FAILURE && code != LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED) lose(trouble);
        return;
    }
    m_pumps.push_back(std::make_unique<ChannelPump>(*m_raw, *channel, request->state, request->marker,
                                                    std::move(request->data), std::move(request->log)));
    request->opened.set_value({});
}

bool SessionThread::serviceAll() {
    bool moved = false;
    for (std::size_t i = 0; i < m_pumps.size();) {
        const auto outcome = m_pumps[i]->service();
        if (outcome == ChannelPump::Outcome::LinkLost) {
            lose(m_raw->socketTrouble());
            return false;
        }
        moved = moved || outcome != ChannelPump::Outcome::Idle;
        if (outcome == ChannelPump::Outcome::Ended) {
            m_pumps.erase(m_pumps.begin() + static_cast<std::ptrdiff_t>(i));
            --m_channels;
        } else {
            ++i;
        }
    }
    const std::scoped_lock lock(m_mutex);
    return moved || !m_requests.empty();
}

void SessionThread::lose(const std::string& reason) {
    std::deque<OpenRequest> requests;
    {
        const std::scoped_lock lock(m_mutex);
        if (m_lossReason.empty()) m_lossReason = reason;
        m_lost = true;
        requests.swap(m_requests);
    }
    for (auto& request : requests)
        request.opened.set_value(
            environmentError("the connection is lost: " + reason, m_label).withCode(ErrorCode::ConnectionLost));
    for (const auto& pump : m_pumps) pump->lose(reason);
    m_pumps.clear();
    m_channels = 0;
}

} // namespace trainyard::remote
