// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/http/http_listener.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

namespace trainyard::serve {

namespace {

constexpr int kBacklog = 1024;
constexpr int kSocketFlags = SOCK_NONBLOCK | SOCK_CLOEXEC;

int portOf(int fd) {
    sockaddr_storage address{};
    socklen_t bytes = sizeof address;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &bytes) != 0) return 0;
    if (address.ss_family == AF_INET) return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
    if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
    return 0;
}

// IPv4 addresses are clients, and of IPv6 networks of 64 bits, which one client has to itself.
std::string clientOf(const sockaddr_storage& address) {
    if (address.ss_family == AF_INET) {
        const in_addr& four = reinterpret_cast<const sockaddr_in&>(address).sin_addr;
        return {reinterpret_cast<const char*>(&four), sizeof four};
    }
    if (address.ss_family == AF_INET6) {
        const in6_addr& six = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
        return {reinterpret_cast<const char*>(&six), 8};
    }
    return {};
}

Result<UniqueFd> listenOnPort(const HttpOptions& options) {
    const std::string where = options.host + ":" + std::to_string(options.port);
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
    const int problem = ::getaddrinfo(options.host.c_str(), std::to_string(options.port).c_str(), &hints, &found);
    if (problem != 0)
        return inputError(std::string("the address to listen on is not known: ") + ::gai_strerror(problem), where,
                          "use an address of this computer, such as 127.0.0.1");
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, &::freeaddrinfo);
    UniqueFd fd(::socket(found->ai_family, SOCK_STREAM | kSocketFlags, 0));
    if (!fd) return systemError("cannot make a socket", where);
    const int on = 1;
    ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (::bind(fd.get(), found->ai_addr, found->ai_addrlen) != 0 || ::listen(fd.get(), kBacklog) != 0) {
        const char* remedy = errno == EADDRINUSE      ? "choose another --port, or 0 for a free one"
                             : errno == EACCES        ? "choose a port from 1024 on"
                             : errno == EADDRNOTAVAIL ? "use an address of this computer"
                                                      : "";
        return systemError("cannot listen", where, remedy);
    }
    return fd;
}

// A file that no process listens on is left from one that was killed.
bool isLeftSocket(const sockaddr_un& address) {
    struct stat status{};
    if (::lstat(address.sun_path, &status) != 0 || !S_ISSOCK(status.st_mode)) return false;
    const UniqueFd probe(::socket(AF_UNIX, SOCK_STREAM | kSocketFlags, 0));
    const auto* plain = reinterpret_cast<const sockaddr*>(&address);
    return probe && ::connect(probe.get(), plain, sizeof address) != 0 && errno == ECONNREFUSED;
}

Result<UniqueFd> listenOnPath(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.native().size() >= sizeof address.sun_path)
        return inputError("the path of a Unix socket has at most 107 bytes", path.string(),
                          "choose a shorter --socket");
    std::memcpy(address.sun_path, path.c_str(), path.native().size() + 1);
    if (isLeftSocket(address)) ::unlink(address.sun_path);
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | kSocketFlags, 0));
    if (!fd) return systemError("cannot make a socket", path.string());
    // Nobody can connect before listen(), so the mode comes in time.
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::chmod(address.sun_path, 0600) != 0 || ::listen(fd.get(), kBacklog) != 0)
        return systemError("cannot listen", path.string(),
                           errno == EADDRINUSE ? "stop the service that has it, or choose another --socket" : "");
    return fd;
}

Result<UniqueFd> takeOver(int fd) {
    UniqueFd owned(fd);
    int listens = 0;
    socklen_t bytes = sizeof listens;
    if (::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &bytes) != 0 || listens == 0)
        return inputError("the inherited descriptor is no listening socket", "LISTEN_FDS",
                          "give the unit a socket unit with ListenStream");
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    return owned;
}

UniqueFd spareDescriptor() { return UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

} // namespace

Result<HttpListener> HttpListener::open(const HttpOptions& options) {
    HttpListener made;
    if (options.inheritedFd >= 0) {
        TY_ASSIGN(made.m_fd, takeOver(options.inheritedFd));
    } else if (!options.unixSocket.empty()) {
        TY_ASSIGN(made.m_fd, listenOnPath(options.unixSocket));
        made.m_path = options.unixSocket;
    } else {
        TY_ASSIGN(made.m_fd, listenOnPort(options));
    }
    made.m_port = portOf(made.m_fd.get());
    made.m_spare = spareDescriptor();
    return made;
}

HttpListener::~HttpListener() { close(); }

std::optional<AcceptedSocket> HttpListener::accept() {
    AcceptedSocket accepted;
    accepted.addressBytes = sizeof accepted.address;
    auto* address = reinterpret_cast<sockaddr*>(&accepted.address);
    while (m_fd) {
        UniqueFd taken(::accept4(m_fd.get(), address, &accepted.addressBytes, kSocketFlags));
        if (taken) {
            accepted.client = clientOf(accepted.address);
            accepted.fd = std::move(taken);
            return accepted;
        }
        if (errno == EINTR || errno == ECONNABORTED) continue;
        if (errno != EMFILE && errno != ENFILE) return {};
        m_spare.reset();
        UniqueFd refused(::accept4(m_fd.get(), nullptr, nullptr, kSocketFlags));
        if (!refused) return {};
        const std::string sorry = rawAnswer(503, "Service Unavailable", "{\"error\":\"no more connections\"}");
        (void)::send(refused.get(), sorry.data(), sorry.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        refused.reset();
        m_spare = spareDescriptor();
        ++m_turnedAway;
    }
    return {};
}

void HttpListener::close() {
    m_fd.reset();
    if (!m_path.empty()) ::unlink(m_path.c_str());
    m_path.clear();
}

std::string rawAnswer(int status, const char* reason, const std::string& body) {
    std::string text = "HTTP/1.1 " + std::to_string(status) + ' ' + reason +
                       "\r\nContent-Type: application/json\r\nConnection: close\r\n";
    if (status == 503) text += "Retry-After: 1\r\n";
    return text + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

} // namespace trainyard::serve
