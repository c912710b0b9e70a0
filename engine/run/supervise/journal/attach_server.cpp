// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/journal/attach_server.h"

#include "engine/base/clock.h"
#include "engine/run/launch/socket_path.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace trainyard::run {
namespace {

constexpr std::size_t kMaxWatchers = 64;
constexpr double kDeafSeconds = 1; // pause when files run out: a pending connection would keep waking poll()
constexpr double kLookSeconds = 1;
constexpr std::size_t kMaxUnsent = 8 << 20; // a watcher further behind than this attaches again and reads the store

bool isSameUser(int fd) {
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

Result<UniqueFd> listeningAt(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string text = path.string();
    if (text.size() >= sizeof address.sun_path)
        return environmentError("the path of the socket is too long", text, "set XDG_RUNTIME_DIR to a shorter path");
    std::memcpy(address.sun_path, text.data(), text.size());
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) return systemError("cannot make a socket", text, limitRemedy(errno));
    ::unlink(text.c_str()); // of a supervisor that died: the run's lock says that there is no other now
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::chmod(text.c_str(), 0600) != 0 || ::listen(fd.get(), 16) != 0)
        return systemError("cannot listen on the socket", text, "set XDG_RUNTIME_DIR to a folder of your own");
    return fd;
}

} // namespace

Result<std::unique_ptr<AttachServer>> AttachServer::listen(const std::filesystem::path& path, Handlers handlers) {
    TY_ASSIGN(auto fd, listeningAt(path));
    return std::unique_ptr<AttachServer>(new AttachServer(std::move(fd), path, std::move(handlers)));
}

AttachServer::AttachServer(UniqueFd fd, std::filesystem::path path, Handlers handlers)
    : m_fd(std::move(fd)), m_path(std::move(path)), m_handlers(std::move(handlers)) {}

AttachServer::~AttachServer() { ::unlink(m_path.c_str()); }

void AttachServer::addPollEntries(std::vector<pollfd>& entries) const {
    if (monotonicSeconds() >= m_deafUntil) entries.push_back({m_fd.get(), POLLIN, 0});
    for (const auto& watcher : m_watchers) {
        const auto events = static_cast<short>(watcher->outgoing.empty() ? POLLIN : POLLIN | POLLOUT);
        entries.push_back({watcher->fd.get(), events, 0});
    }
}

// The folder lies where others clean up ($XDG_RUNTIME_DIR, /tmp), and a run that cannot be asked cannot be stopped.
void AttachServer::listenAgain() {
    const double now = monotonicSeconds();
    if (now < m_lookDue) return;
    m_lookDue = now + kLookSeconds;
    if (::access(m_path.c_str(), F_OK) == 0 || errno != ENOENT) return;
    const auto folder = m_path.parent_path();
    std::error_code ignored;
    std::filesystem::create_directories(folder.parent_path(), ignored);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return;
    if (!checkPrivate(folder)) return;
    if (auto fd = listeningAt(m_path)) m_fd = std::move(*fd);
}

void AttachServer::handle() {
    listenAgain();
    acceptAll();
    for (auto& watcher : m_watchers) {
        read(*watcher);
        write(*watcher);
    }
    std::erase_if(m_watchers, [](const auto& watcher) { return watcher->gone; });
}

void AttachServer::acceptAll() {
    for (;;) {
        UniqueFd fd(::accept4(m_fd.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!fd) {
            if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
                m_deafUntil = monotonicSeconds() + kDeafSeconds;
            return;
        }
        if (!isSameUser(fd.get()) || m_watchers.size() >= kMaxWatchers) continue;
        m_watchers.push_back(std::make_unique<Watcher>());
        m_watchers.back()->fd = std::move(fd);
    }
}

void AttachServer::read(Watcher& watcher) {
    std::array<std::byte, 4096> buffer;
    for (;;) {
        const ssize_t got = ::read(watcher.fd.get(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got == 0 || (got < 0 && errno != EAGAIN)) watcher.gone = true;
        if (got <= 0) return;
        watcher.decoder.feed(std::span(buffer.data(), static_cast<std::size_t>(got)));
        for (;;) {
            auto frame = watcher.decoder.next();
            if (frame && !frame->has_value()) break;
            auto message = frame ? wire::decodeMessage(**frame) : Result<wire::Message>(frame.error());
            if (!message) {
                watcher.gone = true;
                return;
            }
            handle(watcher, *message);
        }
    }
}

void AttachServer::handle(Watcher& watcher, const wire::Message& message) {
    if (const auto* stop = std::get_if<wire::Stop>(&message)) {
        m_handlers.stop(stop->mode);
    } else if (const auto* command = std::get_if<wire::Command>(&message)) {
        m_handlers.command(*command);
    } else if (std::holds_alternative<wire::Attach>(message) && !watcher.attached) {
        watcher.attached = true;
        for (const auto& first : m_handlers.greeting()) queue(watcher, wire::encodeMessage(first));
    }
}

void AttachServer::broadcast(const wire::Message& message) {
    if (m_watchers.empty()) return;
    const auto bytes = wire::encodeMessage(message);
    for (auto& watcher : m_watchers)
        if (watcher->attached) queue(*watcher, bytes);
}

void AttachServer::queue(Watcher& watcher, const std::vector<std::byte>& bytes) {
    if (watcher.gone) return;
    watcher.outgoing.insert(watcher.outgoing.end(), bytes.begin(), bytes.end());
    write(watcher);
    if (watcher.outgoing.size() > kMaxUnsent) watcher.gone = true;
}

void AttachServer::write(Watcher& watcher) {
    std::size_t sent = 0;
    while (!watcher.gone && sent < watcher.outgoing.size()) {
        const ssize_t put =
            ::send(watcher.fd.get(), watcher.outgoing.data() + sent, watcher.outgoing.size() - sent, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0 && errno == EAGAIN) break;
        if (put < 0) watcher.gone = true;
        else sent += static_cast<std::size_t>(put);
    }
    watcher.outgoing.erase(watcher.outgoing.begin(), watcher.outgoing.begin() + static_cast<std::ptrdiff_t>(sent));
}

bool AttachServer::hasUnsent() const {
    for (const auto& watcher : m_watchers)
        if (!watcher->gone && !watcher->outgoing.empty()) return true;
    return false;
}

} // namespace trainyard::run
