// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/library/library_transport.h"

#include "engine/base/clock.h"

#include <libssh2.h>

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::remote {
namespace {

constexpr double kProbeSeconds = 2;
constexpr double kOpenSeconds = 15;

} // namespace

SessionThread::SessionThread(std::unique_ptr<RawSession> raw, std::string label)
    : m_raw(std::move(raw)), m_label(std::move(label)), m_queue(m_label), m_thread([this] { loop(); }) {}

SessionThread::~SessionThread() {
    m_queue.stop();
    m_thread.join();
}

void SessionThread::loop() {
    bool busy = true;
    while (!done()) {
        waitForWork(busy);
        if (m_queue.lost()) continue;
        openNext();
        busy = serviceAll();
    }
    if (!m_queue.lost()) libssh2_session_disconnect(m_raw->session(), "done");
    lose("the connection was closed");
}

// Channels with a holder are not waited for.
bool SessionThread::done() {
    return m_queue.mayEnd(std::ranges::any_of(m_pumps, [](const auto& pump) { return !pump->holdsDescriptors(); }));
}

void SessionThread::waitForWork(bool busy) {
    std::vector<pollfd> fds{{m_queue.wakeFd(), POLLIN, 0}};
    if (!m_queue.lost()) {
        const bool reading = m_pumps.empty()
                                 ? m_readIdle
                                 : std::ranges::any_of(m_pumps, [](const auto& pump) { return pump->wantsInbound(); });
        fds.push_back({m_raw->socket(), static_cast<short>(reading ? POLLIN : 0), 0});
        for (const auto& pump : m_pumps) pump->addPollFds(fds);
    }
    const double untilKeepalive = m_queue.lost() ? 10 : std::max(0.0, m_nextKeepalive - monotonicSeconds());
    const double longest = m_queue.stopping() ? 0.05 : untilKeepalive;
    ::poll(fds.data(), fds.size(), busy ? 0 : static_cast<int>(longest * 1000) + 1);
    m_queue.drainWake();
    if (m_queue.lost()) return;

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
    auto request = m_queue.next();
    if (!request) return;
    m_readIdle = true;
    auto channel = openChannel(*request);
    if (!channel) {
        m_queue.channelEnded();
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
            m_queue.channelEnded();
        } else {
            ++i;
        }
    }
    return moved || !m_queue.empty();
}

void SessionThread::lose(const std::string& reason) {
    m_queue.lose(reason);
    for (const auto& pump : m_pumps) pump->lose(reason);
    m_pumps.clear();
}

} // namespace trainyard::remote
