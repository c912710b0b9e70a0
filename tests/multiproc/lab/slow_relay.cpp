// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/multiproc/lab/slow_relay.h"

#include <arpa/inet.h>
#include <linux/netfilter_ipv4.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <string>

namespace trainyard::test {
namespace {

using Clock = std::chrono::steady_clock;

struct Chunk {
    Clock::time_point due;
    std::string bytes; // none: the end
};

// Where a connection that was led here was to go.
int connectOnwards(int accepted) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    if (::getsockopt(accepted, SOL_IP, SO_ORIGINAL_DST, &address, &size) != 0) return -1;
    const int onwards = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int mark = SlowRelay::kMark, one = 1;
    ::setsockopt(onwards, SOL_SOCKET, SO_MARK, &mark, sizeof mark);
    for (const int socket : {accepted, onwards}) ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (::connect(onwards, reinterpret_cast<const sockaddr*>(&address), size) == 0) return onwards;
    ::close(onwards);
    return -1;
}

bool sendAll(int socket, const std::string& bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
        const auto count = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
    }
    return true;
}

} // namespace

SlowRelay::SlowRelay(std::chrono::milliseconds delay) : m_delay(delay) {
    m_listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = ::htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(m_listener, reinterpret_cast<const sockaddr*>(&address), size) != 0 || ::listen(m_listener, 64) != 0 ||
        ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return;
    m_port = ::ntohs(address.sin_port);
    m_acceptor = std::thread([this] { accept(); });
}

SlowRelay::~SlowRelay() {
    ::shutdown(m_listener, SHUT_RDWR);
    if (m_acceptor.joinable()) m_acceptor.join();
    ::close(m_listener);
    for (const int socket : m_sockets) ::shutdown(socket, SHUT_RDWR);
    for (auto& thread : m_relays) thread.join();
    for (const int socket : m_sockets) ::close(socket);
}

int SlowRelay::connections() {
    const std::scoped_lock lock(m_mutex);
    return static_cast<int>(m_sockets.size() / 2);
}

void SlowRelay::accept() {
    for (;;) {
        const int accepted = ::accept4(m_listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (accepted < 0) return;
        const int onwards = connectOnwards(accepted);
        if (onwards < 0) {
            ::close(accepted);
            continue;
        }
        const std::scoped_lock lock(m_mutex);
        m_sockets.insert(m_sockets.end(), {accepted, onwards});
        m_relays.emplace_back([this, accepted, onwards] { relay(accepted, onwards); });
        m_relays.emplace_back([this, accepted, onwards] { relay(onwards, accepted); });
    }
}

// Reads on while older bytes wait for their time, as a long line holds many packets at once.
void SlowRelay::relay(int from, int to) {
    std::deque<Chunk> onTheWay;
    for (bool ended = false;;) {
        if (ended && onTheWay.empty()) break;
        int wait = -1;
        if (!onTheWay.empty()) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(onTheWay.front().due - Clock::now());
            wait = left.count() > 0 ? static_cast<int>(left.count()) : 0;
        }
        pollfd incoming{ended ? -1 : from, POLLIN, 0};
        if (::poll(&incoming, 1, wait) < 0 && errno != EINTR) break;
        if (!ended && incoming.revents != 0) {
            std::string bytes(65536, '\0');
            const auto count = ::recv(from, bytes.data(), bytes.size(), 0);
            ended = count <= 0;
            bytes.resize(ended ? 0 : static_cast<std::size_t>(count));
            onTheWay.push_back({Clock::now() + m_delay, std::move(bytes)});
        }
        while (!onTheWay.empty() && onTheWay.front().due <= Clock::now()) {
            if (onTheWay.front().bytes.empty() || !sendAll(to, onTheWay.front().bytes)) ended = true;
            onTheWay.pop_front();
        }
    }
    ::shutdown(to, SHUT_WR);
}

} // namespace trainyard::test
