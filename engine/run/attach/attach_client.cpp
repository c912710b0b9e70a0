// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/attach/attach_client.h"

#include "engine/run/launch/socket_path.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace trainyard::run {

Result<AttachClient> AttachClient::connect(const std::filesystem::path& socket) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string text = socket.string();
    if (text.empty() || text.size() >= sizeof address.sun_path)
        return environmentError("the run has no supervisor to attach to");
    std::memcpy(address.sun_path, text.data(), text.size());
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) return systemError("cannot make a socket");
    if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return systemError("cannot attach to the run's supervisor", text);
    ucred peer{};
    socklen_t size = sizeof peer;
    if (::getsockopt(fd.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.uid != ::geteuid())
        return environmentError("the socket belongs to another user", text);
    AttachClient client(std::move(fd));
    TY_TRY(client.send(wire::Attach{}));
    return client;
}

Result<AttachClient> AttachClient::connect(const store::RunRow& row) {
    if (!row.socketPath.empty()) return connect(std::filesystem::path(row.socketPath));
    TY_ASSIGN(const auto path, socketPath(row.id));
    return connect(path);
}

Result<void> AttachClient::send(const wire::Message& message) {
    const auto bytes = wire::encodeMessage(message);
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const ssize_t put = ::send(m_fd.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (put >= 0) {
            sent += static_cast<std::size_t>(put);
            continue;
        }
        if (errno == EINTR) continue;
        pollfd entry{m_fd.get(), POLLOUT, 0};
        if (errno != EAGAIN) return systemError("the run's supervisor has gone");
        if (::poll(&entry, 1, 2000) == 0) return environmentError("the run's supervisor does not answer");
    }
    return {};
}

Result<std::vector<wire::Message>> AttachClient::receive(int timeoutMs, bool& closed) {
    std::vector<wire::Message> messages;
    closed = false;
    pollfd entry{m_fd.get(), POLLIN, 0};
    if (::poll(&entry, 1, timeoutMs) <= 0) return messages;
    std::array<std::byte, 64 << 10> buffer;
    for (;;) {
        const ssize_t got = ::read(m_fd.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        closed = got == 0 || (got < 0 && errno != EAGAIN);
        if (got <= 0) break;
        m_decoder.feed(std::span(buffer.data(), static_cast<std::size_t>(got)));
    }
    for (;;) {
        TY_ASSIGN(auto frame, m_decoder.next());
        if (!frame) return messages;
        TY_ASSIGN(auto message, wire::decodeMessage(*frame));
        messages.push_back(std::move(message));
    }
}

} // namespace trainyard::run
