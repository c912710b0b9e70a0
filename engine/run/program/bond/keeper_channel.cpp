// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/bond/keeper_channel.h"

#include "engine/base/clock.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>

namespace trainyard::run {
namespace {

constexpr std::size_t kSentKept = 1 << 20; // bytes that are moved out of the buffer together

void setNonBlocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

bool isForLater(int code) { return code == EAGAIN || code == EWOULDBLOCK || code == EINTR; }

} // namespace

KeeperChannel::KeeperChannel(int readFd, int writeFd) : m_readFd(readFd), m_writeFd(writeFd) { reopen(); }

void KeeperChannel::reopen() {
    setNonBlocking(m_readFd);
    setNonBlocking(m_writeFd);
    m_decoder = {};
    m_outgoing.clear();
    m_sent = 0;
    m_isOver = false;
}

Result<std::vector<wire::Message>> KeeperChannel::receive() {
    std::array<std::byte, 64 << 10> buffer;
    while (!m_isOver) {
        const ssize_t got = ::read(m_readFd, buffer.data(), buffer.size());
        if (got < 0 && isForLater(errno)) break;
        m_isOver = got <= 0;
        if (got > 0) m_decoder.feed(std::span(buffer).first(static_cast<std::size_t>(got)));
    }
    std::vector<wire::Message> messages;
    for (;;) {
        TY_ASSIGN(auto frame, m_decoder.next());
        if (!frame) return messages;
        TY_ASSIGN(auto message, wire::decodeMessage(*frame));
        messages.push_back(std::move(message));
    }
}

bool KeeperChannel::isHungUp() const {
    pollfd entry{m_readFd, POLLIN | POLLRDHUP, 0};
    return ::poll(&entry, 1, 0) > 0 && (entry.revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
}

void KeeperChannel::send(const wire::Message& message) {
    if (m_isOver) return;
    const auto bytes = wire::encodeMessage(message);
    m_outgoing.insert(m_outgoing.end(), bytes.begin(), bytes.end());
    flush();
}

void KeeperChannel::flush() {
    while (hasUnsent()) {
        const ssize_t wrote = ::write(m_writeFd, m_outgoing.data() + m_sent, m_outgoing.size() - m_sent);
        if (wrote < 0 && isForLater(errno)) break;
        if (wrote < 0) m_isOver = true;
        else m_sent += static_cast<std::size_t>(wrote);
    }
    if (m_sent < m_outgoing.size() && m_sent < kSentKept) return;
    m_outgoing.erase(m_outgoing.begin(), m_outgoing.begin() + static_cast<std::ptrdiff_t>(m_sent));
    m_sent = 0;
}

bool KeeperChannel::drain(double seconds) {
    const double until = monotonicSeconds() + seconds;
    for (flush(); hasUnsent() && monotonicSeconds() < until; flush()) {
        pollfd entry{m_writeFd, POLLOUT, 0};
        ::poll(&entry, 1, static_cast<int>(std::ceil(std::max(0.0, until - monotonicSeconds()) * 1000)));
    }
    return !hasUnsent() && !m_isOver;
}

} // namespace trainyard::run
