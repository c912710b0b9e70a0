// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/control/service_http.h"

#include "engine/base/clock.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

namespace trainyard::serve {
namespace {

constexpr std::size_t kMostBytes = 64u << 20;

std::string lower(std::string_view text) {
    std::string made(text);
    std::transform(made.begin(), made.end(), made.begin(), [](unsigned char c) { return std::tolower(c); });
    return made;
}

bool waitFor(int fd, short events, double deadline) {
    for (;;) {
        pollfd entry{fd, events, 0};
        const double left = deadline - monotonicSeconds();
        const int ready = left > 0 ? ::poll(&entry, 1, static_cast<int>(std::ceil(left * 1000))) : 0;
        if (ready < 0 && errno == EINTR) continue;
        return ready > 0;
    }
}

Error lost(const std::string& what) {
    return environmentError(what, "service", "see: trainyardctl services").withCode(ErrorCode::ConnectionLost);
}

Result<UniqueFd> toUnix(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) return inputError("is too long for a socket", path);
    std::memcpy(address.sun_path, path.data(), path.size());
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return systemError("cannot connect", path);
    return fd;
}

Result<UniqueFd> toAddress(const std::string& host, int port) {
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_port = htons(static_cast<std::uint16_t>(port));
    const std::string name = host == "localhost" || host == "0.0.0.0" ? "127.0.0.1" : host;
    if (::inet_pton(AF_INET, name.c_str(), &four.sin_addr) != 1)
        return inputError("is not an IPv4 address of a service", host);
    UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&four), sizeof four) != 0)
        return systemError("cannot connect", host + ":" + std::to_string(port));
    (void)::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

} // namespace

std::string HttpReply::header(std::string_view name) const {
    for (const auto& [key, value] : headers)
        if (key == name) return value;
    return {};
}

Result<ServiceHttp> ServiceHttp::connect(const std::string& url) {
    if (url.starts_with("unix:")) {
        TY_ASSIGN(UniqueFd fd, toUnix(url.substr(5)));
        return ServiceHttp(std::move(fd));
    }
    constexpr std::string_view kScheme = "http://";
    if (!url.starts_with(kScheme)) return inputError("is not an address that is spoken to without TLS", url);
    const std::string rest = url.substr(kScheme.size());
    const auto colon = rest.rfind(':');
    int port = 0;
    if (colon != rest.npos) (void)std::from_chars(rest.data() + colon + 1, rest.data() + rest.size(), port);
    if (port <= 0) return inputError("has no port", url);
    TY_ASSIGN(UniqueFd fd, toAddress(rest.substr(0, colon), port));
    return ServiceHttp(std::move(fd));
}

std::string ServiceHttp::requestOf(std::string_view method, std::string_view path, std::string_view headers,
                                   std::string_view body) {
    std::string request;
    request.reserve(body.size() + headers.size() + 200);
    request.append(method).append(" ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n").append(headers);
    if (method == "POST" || !body.empty()) request += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return request.append("\r\n").append(body);
}

Result<void> ServiceHttp::send(std::string_view request, double seconds) {
    const double deadline = monotonicSeconds() + seconds;
    while (!request.empty()) {
        const ssize_t sent = ::send(m_fd.get(), request.data(), request.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno == EAGAIN) {
            if (!waitFor(m_fd.get(), POLLOUT, deadline)) return lost("a request could not be sent in time");
            continue;
        }
        if (sent <= 0) return lost("the connection was closed while a request was sent");
        request.remove_prefix(static_cast<std::size_t>(sent));
    }
    return {};
}

Result<bool> ServiceHttp::fill(double deadline) {
    std::array<char, 1 << 16> bytes;
    for (;;) {
        const ssize_t got = ::recv(m_fd.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && errno == EAGAIN) {
            if (!waitFor(m_fd.get(), POLLIN, deadline)) return lost("no answer came in time");
            continue;
        }
        if (got < 0) return lost("the connection was lost");
        if (got == 0) return false;
        m_bytes.append(bytes.data(), static_cast<std::size_t>(got));
        if (m_bytes.size() > kMostBytes) return lost("an answer is larger than 64 MB");
        return true;
    }
}

Result<HttpReply> ServiceHttp::receive(double seconds) {
    const double deadline = monotonicSeconds() + seconds;
    std::size_t end = 0;
    while ((end = m_bytes.find("\r\n\r\n")) == m_bytes.npos) {
        TY_ASSIGN(const bool more, fill(deadline));
        if (!more) return lost("the connection was closed before the answer");
    }
    HttpReply reply;
    const std::string_view head = std::string_view(m_bytes).substr(0, end);
    if (head.size() < 12 || !head.starts_with("HTTP/1.")) return lost("the answer is not one of HTTP");
    (void)std::from_chars(head.data() + 9, head.data() + 12, reply.status);
    std::size_t length = 0;
    for (std::size_t at = head.find("\r\n"); at != head.npos;) {
        const std::size_t next = head.find("\r\n", at + 2);
        const std::string_view line = head.substr(at + 2, next == head.npos ? next : next - at - 2);
        at = next;
        const auto colon = line.find(':');
        if (colon == line.npos) continue;
        std::string_view value = line.substr(colon + 1);
        while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
        reply.headers.emplace_back(lower(line.substr(0, colon)), value);
        if (reply.headers.back().first == "content-length")
            (void)std::from_chars(value.data(), value.data() + value.size(), length);
    }
    if (length > kMostBytes) return lost("an answer is larger than 64 MB");
    while (m_bytes.size() < end + 4 + length) {
        TY_ASSIGN(const bool more, fill(deadline));
        if (!more) return lost("the connection was closed within an answer");
    }
    reply.body = m_bytes.substr(end + 4, length);
    m_bytes.erase(0, end + 4 + length);
    return reply;
}

Result<HttpReply> ServiceHttp::ask(std::string_view method, std::string_view path, std::string_view headers,
                                   std::string_view body, double seconds) {
    TY_TRY(send(requestOf(method, path, headers, body), seconds));
    return receive(seconds);
}

} // namespace trainyard::serve
