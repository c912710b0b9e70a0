// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

namespace trainyard::serve {

// The status of the first answer in the bytes; 0: there is none.
inline int statusOf(const std::string& answer) {
    return answer.starts_with("HTTP/1.") && answer.size() > 12 ? std::atoi(answer.c_str() + 9) : 0;
}

// A client that sends the bytes it is told to, on a socket that never waits.
class RawClient {
public:
    // To a port of 127.0.0.1, from another of this computer's addresses where one is given.
    explicit RawClient(int port, const char* from = nullptr) : m_fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        if (from != nullptr) {
            ::inet_pton(AF_INET, from, &address.sin_addr);
            ::bind(m_fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        }
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(m_fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) m_fd.reset();
    }
    explicit RawClient(UniqueFd connected) : m_fd(std::move(connected)) {}

    bool isOpen() const { return static_cast<bool>(m_fd); }
    int fd() const { return m_fd.get(); }
    // As many of the bytes as the socket takes.
    std::size_t send(std::string_view bytes) {
        const ssize_t sent = ::send(m_fd.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        return sent > 0 ? static_cast<std::size_t>(sent) : 0;
    }
    const std::string& received() {
        char bytes[65536];
        for (;;) {
            const ssize_t got = ::recv(m_fd.get(), bytes, sizeof bytes, MSG_DONTWAIT);
            if (got > 0) m_received.append(bytes, static_cast<std::size_t>(got));
            if (got == 0) m_hasEnded = true;
            if (got < 0 && errno != EAGAIN && errno != EINTR) m_hasEnded = m_wasReset = true;
            if (got <= 0) return m_received;
        }
    }
    bool hasEnded() { return received(), m_hasEnded; }
    bool wasReset() { return received(), m_wasReset; }
    // Whether `count` answers are whole, with the bodies that their Content-Length says.
    bool hasAnswer(std::size_t count = 1) { return answers() >= count; }
    std::size_t answers() {
        const std::string& text = received();
        std::size_t found = 0, at = 0;
        for (;;) {
            const std::size_t end = text.find("\r\n\r\n", at);
            if (end == std::string::npos) return found;
            const std::size_t length = text.find("Content-Length: ", at);
            const std::size_t bytes = length < end ? std::strtoul(text.c_str() + length + 16, nullptr, 10) : 0;
            if (text.size() < end + 4 + bytes) return found;
            at = end + 4 + bytes;
            ++found;
        }
    }
    // A client that goes without a word.
    void hangUp() { m_fd.reset(); }

private:
    UniqueFd m_fd;
    std::string m_received;
    bool m_hasEnded = false, m_wasReset = false;
};

} // namespace trainyard::serve
