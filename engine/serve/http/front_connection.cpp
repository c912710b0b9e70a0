// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/http/front_connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trainyard::serve {
namespace {

constexpr std::size_t kReserved = 64 << 10; // bytes for a body that has not come yet

} // namespace

bool FrontRequest::take(std::span<const char> bytes) {
    if (isDropped || isGone) return true;
    if (bytes.size() > most - received) return false;
    if (into.empty()) {
        // What a header says alone claims little.
        if (own.empty()) own.reserve(std::min({expected, most, kReserved}) + kBodyPadding);
        own.append(bytes.data(), bytes.size());
    } else std::memcpy(into.data() + received, bytes.data(), bytes.size());
    received += bytes.size();
    return true;
}

std::span<const std::byte> FrontRequest::body() {
    if (!into.empty()) return into.first(received);
    own.resize(received + kBodyPadding);
    return std::as_bytes(std::span(own.data(), received));
}

ConnectionBook::Room ConnectionBook::roomFor(const std::string& client) const {
    if (m_open.size() >= m_limits->connections) return Room::Full;
    if (client.empty()) return Room::Free;
    const auto found = m_ofClient.find(client);
    const bool full = found != m_ofClient.end() && found->second >= m_limits->connectionsOfClient;
    return full ? Room::ClientFull : Room::Free;
}

FrontConnection& ConnectionBook::add(int fd, MHD_Connection* handle, std::string client, double now) {
    if (!client.empty()) ++m_ofClient[client];
    auto& place = m_open[fd];
    place = std::make_unique<FrontConnection>(fd, handle, std::move(client), *m_limits, now);
    return *place;
}

void ConnectionBook::remove(const FrontConnection& connection) {
    if (const auto found = m_ofClient.find(connection.client); found != m_ofClient.end() && --found->second == 0)
        m_ofClient.erase(found);
    m_open.erase(connection.fd);
}

void ConnectionBook::each(const std::function<void(FrontConnection&)>& visit) {
    for (auto& [fd, connection] : m_open) visit(*connection);
}

void LingeringSockets::add(UniqueFd socket, double now) {
    if (m_sockets.size() >= kMost) return;
    ::shutdown(socket.get(), SHUT_WR);
    m_sockets.push_back({std::move(socket), now + kSeconds});
}

void LingeringSockets::sweep(double now) {
    static char dropped[64 * 1024];
    std::erase_if(m_sockets, [now](const Lingering& each) {
        constexpr int kReads = 64; // of one socket in one sweep
        for (int i = 0; i < kReads; ++i) {
            const ssize_t got = ::recv(each.socket.get(), dropped, sizeof dropped, MSG_DONTWAIT);
            if (got > 0) continue;
            return got == 0 || (errno != EAGAIN && errno != EINTR) || now >= each.until;
        }
        return now >= each.until;
    });
}

} // namespace trainyard::serve
