// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/store/store_server.h"

#include "engine/base/clock.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace trainyard::run {
namespace {

constexpr int kMostPorts = 64; // more ranks share one
constexpr std::size_t kMostConnections = 4096;
constexpr std::size_t kMostHeld = 512u << 20; // of all connections: what is not whole yet, and what is not sent yet
constexpr double kMissingSeconds = 40;

std::string listed(const std::vector<int>& ranks) {
    std::string text;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        text += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
    return text;
}

} // namespace

Result<std::unique_ptr<StoreServer>> StoreServer::open(int ranks) {
    std::unique_ptr<StoreServer> server(new StoreServer());
    server->m_ranks = ranks;
    for (int i = 0; i < (ranks > kMostPorts ? 1 : ranks); ++i) {
        Port port{UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0))};
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (!port.fd || ::bind(port.fd.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
            ::listen(port.fd.get(), 1024) != 0 ||
            ::getsockname(port.fd.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
            return systemError("cannot listen for the ranks", "127.0.0.1", limitRemedy(errno));
        port.number = ntohs(address.sin_port);
        server->m_ports.push_back(std::move(port));
    }
    return server;
}

int StoreServer::port(int rank) const {
    return m_ports[m_ports.size() == 1 ? 0 : static_cast<std::size_t>(rank)].number;
}

std::string StoreServer::ports() const {
    std::string text;
    for (const auto& port : m_ports) text += (text.empty() ? "" : ",") + std::to_string(port.number);
    return m_ports.size() == 1 ? text + "," : text;
}

void StoreServer::addTo(std::vector<pollfd>& entries) const {
    for (const auto& port : m_ports)
        entries.push_back({m_connections.size() < kMostConnections ? port.fd.get() : -1, POLLIN, 0});
    for (const auto& [fd, connection] : m_connections)
        entries.push_back({fd, static_cast<short>(POLLIN | (connection.out.empty() ? 0 : POLLOUT)), 0});
}

void StoreServer::serve(const pollfd* entries, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        if (entries[i].revents == 0) continue;
        if (i < m_ports.size()) {
            accept(i);
            continue;
        }
        const auto found = m_connections.find(entries[i].fd);
        if (found == m_connections.end()) continue; // closed by now
        const bool reads = (entries[i].revents & ~POLLOUT) != 0;
        if ((reads && !read(found->first, found->second)) || !write(found->second)) close(entries[i].fd);
    }
}

void StoreServer::accept(std::size_t port) {
    while (m_connections.size() < kMostConnections) {
        UniqueFd fd(::accept4(m_ports[port].fd.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!fd) return;
        const int yes = 1, number = fd.get();
        ::setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (!m_begun) m_begun = monotonicSeconds();
        m_ports[port].hasCome = true;
        m_connections.emplace(number, Connection{std::move(fd), static_cast<int>(port)});
    }
}

bool StoreServer::read(int number, Connection& connection) {
    std::array<char, 1 << 16> bytes;
    for (;;) {
        const ssize_t got = ::recv(number, bytes.data(), bytes.size(), 0);
        if (got == 0) return false;
        if (got < 0) {
            if (errno == EINTR) continue;
            return errno == EAGAIN || errno == EWOULDBLOCK;
        }
        connection.in.append(bytes.data(), static_cast<std::size_t>(got));
        std::string_view left = connection.in;
        for (StoreRequest request;;) {
            const auto outcome = connection.reader.take(left, request);
            if (outcome == StoreRequestReader::Outcome::Bad) return false;
            if (outcome == StoreRequestReader::Outcome::Incomplete) break;
            auto answers = m_values.apply(number, request);
            if (!answers) return false;
            for (auto& answer : *answers) {
                const auto to = m_connections.find(answer.to);
                if (to == m_connections.end()) continue;
                to->second.out += answer.bytes;
                // Of others: poll() tells when what is left can be sent; what cannot is found out then.
                if (to->first != number) (void)write(to->second);
                else if (held() > kMostHeld) return false;
            }
        }
        connection.in.erase(0, connection.in.size() - left.size());
        if (held() > kMostHeld) return false;
        if (static_cast<std::size_t>(got) < bytes.size()) return true;
    }
}

std::size_t StoreServer::held() const {
    std::size_t bytes = 0;
    for (const auto& [fd, connection] : m_connections) bytes += connection.in.size() + connection.out.size();
    return bytes;
}

bool StoreServer::write(Connection& connection) {
    while (!connection.out.empty()) {
        const ssize_t sent = ::send(connection.fd.get(), connection.out.data(), connection.out.size(), MSG_NOSIGNAL);
        if (sent < 0) {
            if (errno == EINTR) continue;
            return errno == EAGAIN || errno == EWOULDBLOCK;
        }
        connection.out.erase(0, static_cast<std::size_t>(sent));
    }
    return true;
}

void StoreServer::close(int number) {
    m_values.forget(number);
    m_connections.erase(number);
}

std::string StoreServer::missing(double now) {
    if (m_said || !m_begun || now - *m_begun < kMissingSeconds || m_ports.size() < 2) return {};
    std::vector<int> absent, waiting;
    for (std::size_t i = 0; i < m_ports.size(); ++i)
        (m_ports[i].hasCome ? waiting : absent).push_back(static_cast<int>(i));
    m_said = true;
    if (absent.empty()) return {};
    return (absent.size() == 1 ? "rank " : "ranks ") + listed(absent) + (absent.size() == 1 ? " has" : " have") +
           " not come to init_process_group for " + std::to_string(static_cast<int>(kMissingSeconds)) + " s; " +
           listed(waiting) + (waiting.size() == 1 ? " waits" : " wait");
}

} // namespace trainyard::run
