// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/api/driver_line.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace trainyard::train {
namespace {

trainyard::Result<sockaddr_un> addressOf(const std::filesystem::path& socket) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto text = socket.string();
    if (text.size() >= sizeof address.sun_path)
        return environmentError("is too long a path for a socket", text, "set XDG_RUNTIME_DIR to a shorter folder");
    std::memcpy(address.sun_path, text.c_str(), text.size() + 1);
    return address;
}

} // namespace

trainyard::Result<DriverLine> DriverLine::connect(const std::filesystem::path& socket) {
    TY_ASSIGN(const auto address, addressOf(socket));
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return systemError("cannot reach the program that drives this run", socket.string(),
                           "start that program again: it cannot be continued without it");
    return DriverLine(std::move(fd));
}

bool DriverLine::send(const std::string& line) {
    const std::string bytes = line + "\n";
    for (std::size_t sent = 0; sent < bytes.size() && !m_closed;) {
        const auto count = ::send(m_fd.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (count > 0) sent += static_cast<std::size_t>(count);
        else if (errno != EINTR) m_closed = true;
    }
    return !m_closed;
}

std::optional<std::string> DriverLine::receive(int milliseconds) {
    for (bool waited = false;;) {
        if (const auto end = m_received.find('\n'); end != std::string::npos) {
            std::string line = m_received.substr(0, end);
            m_received.erase(0, end + 1);
            return line;
        }
        pollfd entry{m_fd.get(), POLLIN, 0};
        if (m_closed || ::poll(&entry, 1, waited ? 0 : milliseconds) <= 0) return std::nullopt;
        waited = true;
        std::array<char, 4096> bytes;
        const auto count = ::recv(m_fd.get(), bytes.data(), bytes.size(), 0);
        if (count > 0) m_received.append(bytes.data(), static_cast<std::size_t>(count));
        else if (count == 0 || errno != EINTR) m_closed = true;
    }
}

trainyard::Result<UniqueFd> listenForRanks(const std::filesystem::path& socket) {
    TY_ASSIGN(const auto address, addressOf(socket));
    std::error_code ignored;
    std::filesystem::remove(socket, ignored); // of a process with this number that was killed
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd || ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(fd.get(), 64) != 0)
        return systemError("cannot listen for the ranks", socket.string());
    return fd;
}

} // namespace trainyard::train
