// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/port_forward.h"

#include "engine/base/text/printable.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace trainyard::remote {
namespace {

constexpr std::size_t kFlowPiece = 64u << 10;
constexpr int kPatienceMs = 20, kMostPieces = 256; // for a request that is not passed on

// -1: it is none.
int portOf(std::string_view text, int least) {
    int port = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), port);
    const bool whole = problem == std::errc{} && end == text.data() + text.size();
    return whole && port >= least && port <= 65535 ? port : -1;
}

Result<UniqueFd> listenHere(ForwardedPort& port) {
    UniqueFd listener(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!listener) return systemError("a socket cannot be made");
    const int on = 1;
    ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port.local));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
        ::listen(listener.get(), 64) != 0 ||
        ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return systemError("port " + std::to_string(port.local) + " cannot be listened on", "127.0.0.1",
                           "choose another one: OTHER:" + std::to_string(port.remote));
    port.local = ntohs(address.sin_port);
    return listener;
}

} // namespace

Result<ForwardedPort> parseForwardedPort(const std::string& text) {
    const auto colon = text.find(':');
    const std::string_view local = std::string_view(text).substr(0, colon);
    ForwardedPort port{portOf(local, 0), 0};
    port.remote = colon == std::string::npos ? port.local : portOf(std::string_view(text).substr(colon + 1), 1);
    if (port.local < 0 || port.remote < 1)
        return inputError("\"" + printable(text) + "\" is not a pair of ports", "PORTS",
                          "write LOCAL:REMOTE, such as 8080:80; LOCAL 0 takes any that is free");
    return port;
}

Result<PortForward> PortForward::open(std::vector<ForwardedPort> ports) {
    PortForward forward;
    for (auto& port : ports) {
        TY_ASSIGN(UniqueFd listener, listenHere(port));
        forward.m_listeners.push_back(std::move(listener));
    }
    forward.m_ports = std::move(ports);
    return forward;
}

void PortForward::accept(std::size_t listener, SshSession& session, const std::function<void(const Error&)>& complain) {
    UniqueFd client(::accept4(m_listeners[listener].get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!client) return;
    auto channel = session.connectTo("127.0.0.1", m_ports[listener].remote);
    if (channel) m_links.push_back({std::move(client), std::move(*channel), {}, {}});
    else complain(channel.error());
}

void PortForward::move(Flow& flow, int from, int to) {
    if (flow.pending.empty() && !flow.ended) {
        std::array<char, kFlowPiece> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
        const ssize_t count = ::recv(from, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (count > 0) flow.pending.assign(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0 || (errno != EAGAIN && errno != EINTR)) flow.ended = true;
    }
    if (!flow.pending.empty()) {
        const ssize_t count = ::send(to, flow.pending.data(), flow.pending.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count > 0) flow.pending.erase(0, static_cast<std::size_t>(count));
        else if (count < 0 && errno != EAGAIN && errno != EINTR) {
            flow.pending.clear();
            flow.ended = true;
        }
    }
    if (flow.ended && flow.pending.empty() && !flow.passed) {
        ::shutdown(to, SHUT_WR);
        flow.passed = true;
    }
}

void PortForward::refuse(std::string_view answer, int milliseconds) {
    m_links.clear();
    std::vector<pollfd> fds;
    for (const auto& listener : m_listeners) fds.push_back({listener.get(), POLLIN, 0});
    ::poll(fds.data(), fds.size(), milliseconds);
    for (const auto& listener : m_listeners) {
        const UniqueFd client(::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!client) continue;
        pollfd asked{client.get(), POLLIN, 0};
        ::poll(&asked, 1, kPatienceMs);
        // What is not read would make the kernel throw the answer away.
        std::array<char, kFlowPiece> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
        for (int pieces = 0; pieces < kMostPieces && ::recv(client.get(), buffer.data(), buffer.size(), 0) > 0;)
            ++pieces;
        (void)!::send(client.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
        ::shutdown(client.get(), SHUT_WR);
    }
}

Result<void> PortForward::serve(SshSession& session, int milliseconds,
                                const std::function<void(const Error&)>& complain) {
    std::vector<pollfd> fds;
    for (const auto& listener : m_listeners) fds.push_back({listener.get(), POLLIN, 0});
    const auto events = [](const Flow& in, const Flow& out) {
        return static_cast<short>((in.pending.empty() && !in.ended ? POLLIN : 0) | (out.pending.empty() ? 0 : POLLOUT));
    };
    const auto watched = [](int fd, short wanted) { return pollfd{wanted == 0 ? -1 : fd, wanted, 0}; };
    for (const auto& link : m_links) {
        fds.push_back(watched(link.client.get(), events(link.toHost, link.toClient)));
        fds.push_back(watched(link.channel->dataFd(), events(link.toClient, link.toHost)));
    }
    ::poll(fds.data(), fds.size(), milliseconds);
    for (auto& link : m_links) {
        move(link.toHost, link.client.get(), link.channel->dataFd());
        move(link.toClient, link.channel->dataFd(), link.client.get());
    }
    std::erase_if(m_links, [](const Link& link) { return link.over(); });
    for (std::size_t i = 0; i < m_listeners.size(); ++i)
        if (fds[i].revents != 0) accept(i, session, complain);
    if (session.alive()) return {};
    m_links.clear();
    return connectionLost(session.lossReason(), session.host().label());
}

} // namespace trainyard::remote
