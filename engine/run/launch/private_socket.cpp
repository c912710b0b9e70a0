// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/private_socket.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

namespace trainyard::run {
namespace {

sockaddr_un addressOf(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    return address;
}

UniqueFd packetSocket(int flags = 0) { return UniqueFd(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | flags, 0)); }

} // namespace

bool fitsSocket(const std::filesystem::path& path) { return path.string().size() < sizeof(sockaddr_un::sun_path); }

UniqueFd listenAt(const std::filesystem::path& path) {
    auto fd = packetSocket();
    const auto address = addressOf(path);
    ::unlink(path.c_str());
    if (!fd || ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(fd.get(), 64) != 0)
        return {};
    return fd;
}

UniqueFd connectToOwn(const std::filesystem::path& path) {
    auto fd = packetSocket();
    const auto address = addressOf(path);
    if (!fd || ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return {};
    return isOfThisUser(fd.get()) ? std::move(fd) : UniqueFd();
}

// One that listens and takes nobody has a full queue (EAGAIN), and a connection that waits would wait for it.
bool isDeadSocket(const std::filesystem::path& path) {
    const auto fd = packetSocket(SOCK_NONBLOCK);
    const auto address = addressOf(path);
    return fd && ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 &&
           errno == ECONNREFUSED;
}

void removeDeadSockets(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    constexpr std::chrono::seconds kListensWithin{10};
    std::error_code failure;
    std::vector<fs::path> dead;
    for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
        std::error_code gone;
        if (!at->is_socket(gone) || !fitsSocket(at->path())) continue;
        const auto age = fs::file_time_type::clock::now() - at->last_write_time(gone);
        if (!gone && age > kListensWithin && isDeadSocket(at->path())) dead.push_back(at->path());
    }
    for (auto& socket : dead) {
        fs::remove(socket, failure);
        fs::remove(socket.replace_extension(".log"), failure);
    }
}

bool isOfThisUser(int socket) {
    ucred peer{};
    socklen_t size = sizeof peer;
    return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

} // namespace trainyard::run
