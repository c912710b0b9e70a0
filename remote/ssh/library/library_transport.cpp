// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/library/library_transport.h"

#include "engine/base/clock.h"
#include "remote/ssh/channel_thread.h"
#include "remote/ssh/library/library_channel.h"
#include "remote/ssh/library/raw_session.h"
#include "remote/ssh/ssh_limits.h"

#include <libssh2.h>

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace trainyard::remote {
namespace {

class LibraryTransport : public Transport {
public:
    LibraryTransport(std::unique_ptr<RawSession> raw, std::string label)
        : m_raw(std::move(raw)), m_label(std::move(label)) {}

    void end(bool lost) override {
        if (!lost) libssh2_session_disconnect(m_raw->session(), "done");
    }
    Result<std::unique_ptr<TransportChannel>> open(OpenRequest& request) override;
    void addPollFds(std::vector<pollfd>& fds, const TransportChannels& channels) override;
    std::optional<std::string> check(std::span<const pollfd> happened) override;
    double secondsUntilCheck() const override { return std::max(0.0, m_nextKeepalive - monotonicSeconds()); }
    std::string whyLost() override { return m_raw->socketTrouble(); }

private:
    Result<_LIBSSH2_CHANNEL*> openChannel(const OpenRequest& request);

    std::unique_ptr<RawSession> m_raw;
    const std::string m_label;
    double m_nextKeepalive = 0;
    bool m_idle = true;     // no channel
    bool m_readIdle = true; // with none, bytes of the host can wait
};

void LibraryTransport::addPollFds(std::vector<pollfd>& fds, const TransportChannels& channels) {
    m_idle = channels.empty();
    const auto wantsInbound = [](const auto& channel) { return channel->wantsInbound(); };
    const bool reading = m_idle ? m_readIdle : std::ranges::any_of(channels, wantsInbound);
    fds.push_back({m_raw->socket(), static_cast<short>(reading ? POLLIN : 0), 0});
}

std::optional<std::string> LibraryTransport::check(std::span<const pollfd> happened) {
    const short events = happened[0].revents;
    if ((events & POLLERR) != 0) return whyLost();
    if (m_idle && (events & (POLLIN | POLLHUP)) != 0) {
        char byte = 0;
        const ssize_t peeked = ::recv(m_raw->socket(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
        if (peeked == 0 || (peeked < 0 && errno != EAGAIN && errno != EINTR)) return whyLost();
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
    return std::nullopt;
}

Result<_LIBSSH2_CHANNEL*> LibraryTransport::openChannel(const OpenRequest& request) {
    const double deadline = monotonicSeconds() + kOpenSeconds;
    LIBSSH2_SESSION* session = m_raw->session();
    LIBSSH2_CHANNEL* channel = nullptr;
    do
        channel = request.connects()
                      ? libssh2_channel_direct_tcpip_ex(session, request.address.c_str(), request.port, "127.0.0.1", 0)
                      : libssh2_channel_open_ex(session, "session", 7, request.windowBytes,
                                                LIBSSH2_CHANNEL_PACKET_DEFAULT, nullptr, 0);
    while (channel == nullptr && m_raw->lastErrorCode() == LIBSSH2_ERROR_EAGAIN && m_raw->wait(deadline));
    if (channel == nullptr && m_raw->lastErrorCode() == LIBSSH2_ERROR_CHANNEL_FAILURE)
        return channelRefused(request, m_label);
    if (channel == nullptr) return environmentError("the host did not open a channel: " + m_raw->lastError(), m_label);
    if (request.connects()) return channel;
    const int code = m_raw->repeat(deadline, [&] {
        return libssh2_channel_process_startup(channel, "exec", 4, request.command.data(),
                                               static_cast<unsigned>(request.command.size()));
    });
    if (code == 0) return channel;
    const Error error = commandRefused(m_label, m_raw->lastError());
    m_raw->repeat(monotonicSeconds() + 1, [&] { return libssh2_channel_free(channel); });
    return error;
}

Result<std::unique_ptr<TransportChannel>> LibraryTransport::open(OpenRequest& request) {
    m_readIdle = true;
    auto channel = openChannel(request);
    if (channel) return std::unique_ptr<TransportChannel>(std::make_unique<LibraryChannel>(*m_raw, *channel, request));
    const int code = m_raw->lastErrorCode();
    const bool refused = code == LIBSSH2_ERROR_CHANNEL_FAILURE || code == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED;
    Error error = std::move(channel).error();
    return refused ? error : std::move(error).withCode(ErrorCode::ConnectionLost);
}

} // namespace

Result<std::shared_ptr<SshSession>> connectOverLibrary(const HostEntry& host, const ConnectOptions& options,
                                                       LibraryFailure& failure) {
    failure = LibraryFailure::Other;
    SshFacts facts;
    TY_ASSIGN(auto raw, openSession(host, options, facts, failure));
    auto end = signIn(*raw, host, options, facts);
    if (!end && end.error().code == ErrorCode::SignInRefused) failure = LibraryFailure::SignIn;
    TY_TRY(std::move(end));
    auto transport = std::make_unique<LibraryTransport>(std::move(raw), host.label());
    TY_ASSIGN(auto thread, ChannelThread::start(std::move(transport), host.label()));
    return std::make_shared<SshSession>(host, std::move(facts), std::move(thread));
}

Result<std::shared_ptr<SshSession>> connectOverLibrary(const HostEntry& host, const ConnectOptions& options) {
    LibraryFailure ignored{};
    return connectOverLibrary(host, options, ignored);
}

bool libraryDoesRsa() { return LIBSSH2_VERSION_NUM >= 0x010b00; }

} // namespace trainyard::remote
