// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/library/raw_session.h"

#include "engine/base/clock.h"
#include "engine/base/text/printable.h"
#include "remote/book/digest.h"
#include "remote/book/known_hosts.h"
#include "remote/ssh/system/ssh_client.h"

#include <libssh2.h>

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

namespace trainyard::remote {
namespace {

constexpr unsigned kUnansweredMs = 5000; // a sent byte without an answer for so long means the link is cut
constexpr int kKeepaliveSeconds = 2;

int millisecondsUntil(double deadline) {
    return static_cast<int>(std::clamp((deadline - monotonicSeconds()) * 1000 + 1, 0.0, 1e6));
}

std::string addressText(const sockaddr_storage& address, socklen_t length) {
    char text[NI_MAXHOST] = "";
    ::getnameinfo(reinterpret_cast<const sockaddr*>(&address), length, text, sizeof text, nullptr, 0, NI_NUMERICHOST);
    return text;
}

// 0, or the errno of the attempt.
int tryConnect(int socket, const addrinfo& address, double deadline) {
    if (::connect(socket, address.ai_addr, address.ai_addrlen) == 0) return 0;
    if (errno != EINPROGRESS) return errno;
    pollfd waiting{socket, POLLOUT, 0};
    int ready;
    do ready = ::poll(&waiting, 1, millisecondsUntil(deadline));
    while (ready < 0 && errno == EINTR);
    if (ready == 0) return ETIMEDOUT;
    int failure = 0;
    socklen_t size = sizeof failure;
    ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &failure, &size);
    return failure;
}

void setTimeouts(int socket) {
    const int yes = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &kKeepaliveSeconds, sizeof kKeepaliveSeconds);
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &kKeepaliveSeconds, sizeof kKeepaliveSeconds);
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUnansweredMs, sizeof kUnansweredMs);
}

Error whyNotConnected(const HostEntry& host, const std::string& address, int failure) {
    const std::string where = host.label();
    const std::string port = std::to_string(host.port);
    if (failure == ECONNREFUSED)
        return environmentError(address + " refuses connections at port " + port, where,
                                "start its SSH server (sudo systemctl start ssh), or correct the port");
    if (failure == ETIMEDOUT)
        return environmentError("no answer from " + address + " port " + port, where,
                                "check that the host is on, the address is right and no firewall drops port " + port);
    if (failure == ENETUNREACH || failure == EHOSTUNREACH)
        return environmentError("there is no route to " + address, where,
                                "check that the host is on, the network, the VPN and the address");
    return environmentError("connecting to " + address + " port " + port + " failed: " + std::strerror(failure), where);
}

Error connectError(const HostEntry& host, const std::string& address, int failure) {
    return whyNotConnected(host, address, failure).withCode(ErrorCode::HostUnreachable);
}

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
    if (code == LIBSSH2_ERROR_KEX_FAILURE || code == LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE ||
        code == LIBSSH2_ERROR_METHOD_NONE)
        return environmentError(
            "the host and this program have no encryption methods in common (" + detail + ")", host.label(),
            "the host may have only an RSA key or a hardened configuration: on the host run sudo ssh-keygen -A, and "
            "allow HostKeyAlgorithms ssh-ed25519, Ciphers aes256-ctr and MACs hmac-sha2-256 in its sshd_config");
    if (code == LIBSSH2_ERROR_BANNER_RECV || code == LIBSSH2_ERROR_PROTO || code == LIBSSH2_ERROR_SOCKET_RECV ||
        code == LIBSSH2_ERROR_SOCKET_DISCONNECT)
        return environmentError("what answers is not an SSH server, or it closed the connection at once (" + detail +
                                    ")",
                                host.label(), "check the port, and on the host MaxStartups and its log");
    return environmentError("the handshake failed: " + detail, host.label(),
                            "look at the SSH server's log on the host");
}

Error changedKeyError(const HostEntry& host, const KnownHosts::Finding& finding, const std::string& fingerprint,
                      const std::string& type) {
    const std::string place = finding.file + " line " + std::to_string(finding.line);
    const std::string forget = "ssh-keygen -f " + finding.file + " -R '" + hostPattern(host.target(), host.port) + "'";
    if (finding.verdict == KnownHosts::Verdict::Revoked)
        return environmentError("the host's key " + fingerprint + " is marked as revoked in " + place, host.label(),
                                "do not connect; ask who runs the host");
    if (finding.verdict == KnownHosts::Verdict::OtherType)
        return environmentError("the host shows a " + type + " key (" + fingerprint + "), but only a " + finding.type +
                                    " key is recorded in " + place,
                                host.label(), "if you know why, forget the old key with: " + forget);
    return environmentError(
        "THE HOST KEY HAS CHANGED: the " + type + " key is now " + fingerprint + ", another one is recorded in " +
            place + "; the connection may be intercepted, or the host was reinstalled",
        host.label(), "ask who runs the host; if the new key is right, forget the old one with: " + forget);
}

} // namespace

Result<void> judgeHostKey(std::string_view blob, const HostEntry& host, const ConnectOptions& options,
                          const KnownHosts& known, SshFacts& facts) {
    facts.hostKeyType = keyType(blob);
    const auto finding = known.check(host.target(), host.port, blob);
    const std::string fingerprint = keyFingerprint(blob);
    if (finding.verdict == KnownHosts::Verdict::Known) return {};
    if (finding.verdict != KnownHosts::Verdict::Unknown)
        return changedKeyError(host, finding, fingerprint, facts.hostKeyType).withCode(ErrorCode::HostKeyChanged);
    const std::string pattern = hostPattern(host.target(), host.port);
    const HostKeyQuestion question{pattern, facts.hostKeyType, fingerprint,
                                   pattern + " " + facts.hostKeyType + " " + toBase64(blob)};
    if (!options.askHostKey)
        return environmentError(
                   "the host is not known yet; its " + question.type + " key is " + fingerprint, host.label(),
                   "accept it once with: trainyardctl hosts test " + commandWord(host) + " --accept-new-key")
            .withCode(ErrorCode::HostKeyUnknown);
    if (!options.askHostKey(question))
        return environmentError("the host's key " + fingerprint + " was not accepted", host.label(),
                                "compare it on the host with: ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub")
            .withCode(ErrorCode::HostKeyUnknown);
    return recordHostKey(question, options.knownHosts);
}

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
    libssh2_keepalive_config(m_session, 0, kKeepaliveSeconds);
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
    if (failure == ETIMEDOUT || failure == EHOSTUNREACH)
        return "the host does not answer any more (link cut or host off)";
    if (failure == ECONNRESET || failure == EPIPE) return "the host reset the connection";
    if (failure != 0) return std::strerror(failure);
    return "the host closed the connection";
}

Result<UniqueFd> connectTcp(const HostEntry& host, double timeoutSeconds, SshFacts& facts) {
    TY_TRY(validateHost(host));
    if (!host.proxyJump.empty())
        return environmentError(
            "the host is reached through another one (" + printable(host.proxyJump) + "), which this version cannot do",
            host.label(),
            "open a tunnel (ssh -N -L 2222:" + host.target() + ":22 JUMPHOST) and add it as localhost port 2222");
    const double start = monotonicSeconds();
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int code = ::getaddrinfo(host.target().c_str(), std::to_string(host.port).c_str(), &hints, &found);
        code != 0)
        return environmentError("the name \"" + host.target() + "\" is not known: " + ::gai_strerror(code),
                                host.label(), "check the spelling, or give the host's address")
            .withCode(ErrorCode::HostUnreachable);
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, &::freeaddrinfo);
    Error last = environmentError("the name \"" + host.target() + "\" has no address", host.label())
                     .withCode(ErrorCode::HostUnreachable);
    for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
        UniqueFd socket(::socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
        if (!socket) continue;
        sockaddr_storage name{};
        std::memcpy(&name, address->ai_addr, address->ai_addrlen);
        const std::string text = addressText(name, address->ai_addrlen);
        if (const int failure = tryConnect(socket.get(), *address, start + timeoutSeconds); failure != 0) {
            last = connectError(host, text, failure);
            continue;
        }
        setTimeouts(socket.get());
        facts.peerAddress = text;
        facts.connectSeconds = monotonicSeconds() - start;
        return socket;
    }
    return last;
}

Result<std::unique_ptr<RawSession>> openSession(const HostEntry& host, const ConnectOptions& options, SshFacts& facts) {
    TY_ASSIGN(UniqueFd socket, connectTcp(host, options.timeoutSeconds, facts));
    auto raw = std::make_unique<RawSession>(std::move(socket));
    const KnownHosts known = KnownHosts::read(knownHostsFiles(options));
    libssh2_session_method_pref(raw->session(), LIBSSH2_METHOD_HOSTKEY, hostKeyPreference(known, host).c_str());
    const double start = monotonicSeconds();
    const int code = raw->repeat(start + options.timeoutSeconds,
                                 [&] { return libssh2_session_handshake(raw->session(), raw->socket()); });
    facts.noCommonMethods = code == LIBSSH2_ERROR_KEX_FAILURE || code == LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE ||
                            code == LIBSSH2_ERROR_METHOD_NONE;
    if (code != 0) return handshakeError(*raw, host, code, options.timeoutSeconds).withCode(ErrorCode::HostUnreachable);
    raw->endHandshake();
    facts.handshakeSeconds = monotonicSeconds() - start;
    std::size_t size = 0;
    int ignored = 0;
    const char* bytes = libssh2_session_hostkey(raw->session(), &size, &ignored);
    if (bytes == nullptr) return environmentError("the host showed no key", host.label());
    TY_TRY(judgeHostKey({bytes, size}, host, options, known, facts));
    return raw;
}

} // namespace trainyard::remote
