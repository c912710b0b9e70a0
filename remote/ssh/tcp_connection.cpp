// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/tcp_connection.h"

#include "engine/base/clock.h"
#include "engine/base/text/printable.h"
#include "remote/book/host_book.h"
#include "remote/ssh/ssh_limits.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace trainyard::remote {
namespace {

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
    const int yes = 1, unansweredMs = kUnansweredSeconds * 1000;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &kProbeSeconds, sizeof kProbeSeconds);
    ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &kProbeSeconds, sizeof kProbeSeconds);
    ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unansweredMs, sizeof unansweredMs);
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

} // namespace

int millisecondsUntil(double deadline) {
    return static_cast<int>(std::clamp((deadline - monotonicSeconds()) * 1000 + 1, 0.0, 1e6));
}

Result<TcpConnection> connectTcp(const HostEntry& host, double timeoutSeconds) {
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
        return TcpConnection{std::move(socket), text, monotonicSeconds() - start};
    }
    return last;
}

} // namespace trainyard::remote
