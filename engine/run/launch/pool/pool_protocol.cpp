// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/launch/pool/pool_protocol.h"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace trainyard::run {
namespace {

constexpr std::size_t kMaxFds = 4;
constexpr std::size_t kMaxArguments = 64;

struct FdRoom {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxFds * sizeof(int))> bytes{};
};

} // namespace

std::string encodePoolRequest(const PoolRequest& request) {
    std::string text = std::to_string(request.arguments.size());
    const auto add = [&text](const std::string& word) {
        text += '\0';
        text += word;
    };
    add(request.folder);
    add(request.runJson);
    for (const auto& word : request.arguments) add(word);
    for (const auto& word : request.environment) add(word);
    text += '\0';
    return text;
}

std::optional<PoolRequest> decodePoolRequest(std::string_view bytes) {
    if (bytes.empty() || bytes.back() != '\0') return std::nullopt;
    std::vector<std::string> words;
    for (std::size_t at = 0; at < bytes.size();) {
        const auto end = bytes.find('\0', at);
        words.emplace_back(bytes.substr(at, end - at));
        at = end + 1;
    }
    std::size_t count = 0;
    const auto& number = words.front();
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), count);
    if (problem != std::errc() || end != number.data() + number.size() || count > kMaxArguments ||
        words.size() < 3 + count)
        return std::nullopt;
    PoolRequest request;
    request.folder = words[1];
    request.runJson = words[2];
    const auto first = words.begin() + 3, last = first + static_cast<std::ptrdiff_t>(count);
    request.arguments.assign(first, last);
    request.environment.assign(last, words.end());
    return request;
}

std::vector<int> RankFds::list() const {
    std::vector<int> fds{in, out, log};
    if (lifeline >= 0) fds.push_back(lifeline);
    return fds;
}

std::optional<RankFds> RankFds::of(const std::vector<int>& fds) {
    if (fds.size() != 3 && fds.size() != 4) return std::nullopt;
    return RankFds{fds[0], fds[1], fds[2], fds.size() == 4 ? fds[3] : -1};
}

bool sendWithFds(int socket, const void* data, std::size_t size, const std::vector<int>& fds) {
    iovec part{const_cast<void*>(data), size};
    FdRoom room;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (!fds.empty() && fds.size() <= kMaxFds) {
        message.msg_control = room.bytes.data();
        message.msg_controllen = CMSG_SPACE(fds.size() * sizeof(int));
        cmsghdr* header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
        std::memcpy(CMSG_DATA(header), fds.data(), fds.size() * sizeof(int));
    }
    ssize_t sent = 0;
    do sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(size);
}

std::ptrdiff_t receiveWithFds(int socket, void* data, std::size_t size, std::vector<int>& fds) {
    iovec part{data, size};
    FdRoom room;
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room.bytes.data();
    message.msg_controllen = room.bytes.size();
    ssize_t got = 0;
    do got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < 0) return got;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
            fds.push_back(fd);
        }
    }
    if ((message.msg_flags & MSG_CTRUNC) != 0) { // too many open files: some may have come in all the same
        for (const int fd : fds) ::close(fd);
        fds.clear();
    }
    if ((message.msg_flags & MSG_TRUNC) != 0) {
        errno = EMSGSIZE;
        return -1;
    }
    return got;
}

} // namespace trainyard::run
