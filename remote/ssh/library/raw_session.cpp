// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/library/raw_session.h"

#include "engine/base/clock.h"
#include "engine/base/text/printable.h"
#include "remote/book/known_hosts.h"
#include "remote/ssh/link_loss.h"
#include "remote/ssh/ssh_limits.h"
#include "remote/ssh/tcp_connection.h"

#include <libssh2.h>

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace trainyard::remote {
namespace {

void initialize() {
    static std::once_flag once;
    std::call_once(once, [] { libssh2_init(0); });
}

std::string hostKeyPreference(const KnownHosts& known, const HostEntry& host) {
    std::vector<std::string> order = known.typesOf(host.target(), host.port);
    for (const char* type :
         {"ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa"})
        if (std::ranges::find(order, type) == order.end()) order.emplace_back(type);
    std::string list;
    for (const auto& type : order) list += (list.empty() ? "" : ",") + type;
    return list;
}

bool lacksMethods(int code) {
    return code == LIBSSH2_ERROR_KEX_FAILURE || code == LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE ||
           code == LIBSSH2_ERROR_METHOD_NONE;
}

Error handshakeError(const RawSession& raw, const HostEntry& host, int code, double seconds) {
    const std::string detail = raw.lastError();
    // From 1.11 on libssh2 waits for the version behind any lines, as the protocol has it.
    if (code == LIBSSH2_ERROR_EAGAIN && raw.heardSomethingElse())
        return environmentError("what answers is not an SSH server: it talks, but does not say SSH-", host.label(),
                                "check the port");
    if (code == LIBSSH2_ERROR_EAGAIN)
        return environmentError("the handshake did not end within " + std::to_string(static_cast<int>(seconds)) + " s",
                                host.label(),
                                "check the port: what answers there may not be an SSH server, or is overloaded");
    if (lacksMethods(code))
        return environmentError(
            "the host and this program have no encryption methods in common (" + detail + ")", host.label(),
            "the host may have only an RSA key or a hardened configuration: on the host run sudo ssh-keygen -A, and "
            "allow HostKeyAlgorithms ssh-ed25519, Ciphers aes256-ctr and MACs hmac-sha2-256 in its sshd_config");
    if (code == LIBSSH2_ERROR_BANNER_RECV || code == LIBSSH2_ERROR_PROTO || code == LIBSSH2_ERROR_SOCKET_RECV ||
        code == LIBSSH2_ERROR_SOCKET_DISCONNECT)
        return environmentError(
            "what answers is not an SSH server, or it closed the connection at once (" + detail + ")", host.label(),
            "check the port; a host refuses this computer for a while after failed sign-ins, so "
            "wait half a minute; then look at its MaxStartups and its log");
    return environmentError("the handshake failed: " + detail, host.label(),
                            "look at the SSH server's log on the host");
}

} // namespace

RawSession::RawSession(UniqueFd socket) : m_socket(std::move(socket)) {
    initialize();
    m_session = libssh2_session_init_ex(nullptr, nullptr, nullptr, this);
#if LIBSSH2_VERSION_NUM >= 0x010b01
    libssh2_session_callback_set2(m_session, LIBSSH2_CALLBACK_RECV,
                                  reinterpret_cast<libssh2_cb_generic*>(&RawSession::receive));
#else
    libssh2_session_callback_set(m_session, LIBSSH2_CALLBACK_RECV, reinterpret_cast<void*>(&RawSession::receive));
#endif
    libssh2_session_set_blocking(m_session, 0);
    // Without an answer wanted: replies would pile up in libssh2's queue. TCP's own answers show that the link lives.
    libssh2_keepalive_config(m_session, 0, kProbeSeconds);
}

RawSession::~RawSession() {
    // On a dead socket nothing of this waits for the host.
    ::shutdown(m_socket.get(), SHUT_RDWR);
    for (int i = 0; i < 100 && libssh2_session_free(m_session) == LIBSSH2_ERROR_EAGAIN; ++i) {}
}

ssize_t RawSession::receive(int socket, void* buffer, std::size_t length, int flags, void** self) {
    auto& raw = *static_cast<RawSession*>(*self);
    if (raw.m_handshakeBytes == 0) return -EPROTO;
    ssize_t count; // libssh2 calls this for the agent's socket as well, which blocks
    do count = ::recv(socket, buffer, std::min(length, raw.m_handshakeBytes), flags);
    while (count < 0 && errno == EINTR);
    if (count < 0) return -errno;
    if (raw.m_handshakeBytes != kNoLimit) {
        raw.m_handshakeBytes -= static_cast<std::size_t>(count);
        raw.hear({static_cast<const char*>(buffer), static_cast<std::size_t>(count)});
    }
    return count;
}

void RawSession::hear(std::string_view bytes) {
    for (const char byte : bytes) {
        if (m_lineStart == kVersionLine) return;
        m_lineStart += byte;
        if (m_lineStart.size() > kVersionLine.size()) m_lineStart.erase(0, 1);
    }
}

bool RawSession::blockedOutbound() const {
    return (libssh2_session_block_directions(m_session) & LIBSSH2_SESSION_BLOCK_OUTBOUND) != 0;
}

bool RawSession::wait(double deadline) const {
    const int directions = libssh2_session_block_directions(m_session);
    pollfd waiting{m_socket.get(), 0, 0};
    if ((directions & LIBSSH2_SESSION_BLOCK_OUTBOUND) != 0) waiting.events |= POLLOUT;
    if ((directions & LIBSSH2_SESSION_BLOCK_INBOUND) != 0 || directions == 0) waiting.events |= POLLIN;
    const int left = millisecondsUntil(deadline);
    if (left <= 0) return false;
    const int ready = ::poll(&waiting, 1, left);
    return ready > 0 || (ready < 0 && errno == EINTR);
}

// No deadline of its own: TCP_USER_TIMEOUT ends a link that takes nothing any more.
bool RawSession::waitWritable() const {
    pollfd waiting{m_socket.get(), POLLOUT, 0};
    return ::poll(&waiting, 1, 20000) != 0;
}

std::string RawSession::lastError() const {
    char* text = nullptr;
    const int code = libssh2_session_last_error(m_session, &text, nullptr, 0);
    return (text != nullptr && *text != '\0' ? printable(text) : std::string("no reason given")) + ", libssh2 error " +
           std::to_string(code);
}

int RawSession::lastErrorCode() const { return libssh2_session_last_errno(m_session); }

std::string RawSession::socketTrouble() const {
    int failure = 0;
    socklen_t size = sizeof failure;
    ::getsockopt(m_socket.get(), SOL_SOCKET, SO_ERROR, &failure, &size);
    if (failure == ETIMEDOUT || failure == EHOSTUNREACH) return kHostIsSilent;
    if (failure == ECONNRESET || failure == EPIPE) return kHostReset;
    return failure != 0 ? std::strerror(failure) : kHostClosed;
}

Result<std::unique_ptr<RawSession>> openSession(const HostEntry& host, const ConnectOptions& options, SshFacts& facts,
                                                LibraryFailure& failure) {
    TY_ASSIGN(TcpConnection connection, connectTcp(host, options.timeoutSeconds));
    facts.peerAddress = connection.peerAddress;
    facts.connectSeconds = connection.seconds;
    auto raw = std::make_unique<RawSession>(std::move(connection.socket));
    const KnownHosts known = KnownHosts::read(knownHostsFiles(options));
    libssh2_session_method_pref(raw->session(), LIBSSH2_METHOD_HOSTKEY, hostKeyPreference(known, host).c_str());
    const double start = monotonicSeconds();
    const int code = raw->repeat(start + options.timeoutSeconds,
                                 [&] { return libssh2_session_handshake(raw->session(), raw->socket()); });
    if (lacksMethods(code)) failure = LibraryFailure::Methods;
    if (code != 0) return handshakeError(*raw, host, code, options.timeoutSeconds).withCode(ErrorCode::HostUnreachable);
    raw->endHandshake();
    facts.handshakeSeconds = monotonicSeconds() - start;
    std::size_t size = 0;
    int ignored = 0;
    const char* bytes = libssh2_session_hostkey(raw->session(), &size, &ignored);
    if (bytes == nullptr) return environmentError("the host showed no key", host.label());
    facts.hostKeyType = keyType({bytes, size});
    TY_TRY(judgeHostKey({bytes, size}, host, options, known));
    return raw;
}

} // namespace trainyard::remote
