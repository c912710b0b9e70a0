// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/fork/forked_rank.h"

#include "engine/base/clock.h"
#include "engine/run/launch/pool/pool_connection.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace trainyard::run {

ForkedRank::ForkedRank(UniqueFd line, UniqueFd life, const ForkReply& reply)
    : m_line(std::move(line)), m_life(std::move(life)), m_rank(reply.rank), m_holder(reply.holder) {}

ForkedRank::~ForkedRank() { release(1); }

std::optional<ExitStatus> ForkedRank::exitStatus() {
    if (m_exit) return m_exit;
    std::array<char, kMaxForkReply> bytes;
    const ssize_t got = ::recv(m_line.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return std::nullopt;
    const auto reply = parseForkReply({bytes.data(), static_cast<std::size_t>(got > 0 ? got : 0)});
    using Kind = ForkReply::Kind;
    if (reply.kind == Kind::Exited) m_exit = ExitStatus{false, reply.value};
    else if (reply.kind == Kind::Killed) m_exit = ExitStatus{true, reply.value};
    else m_exit = ExitStatus{true, 0}; // the holder was killed, and the rank with it
    if (reply.kind == Kind::Unfit) m_unfit = reply.reason.empty() ? "for no reason" : reply.reason;
    return m_exit;
}

void ForkedRank::release(double seconds) {
    if (!m_line) return;
    ::shutdown(m_line.get(), SHUT_WR);
    m_life.reset();
    std::array<char, kMaxForkReply> bytes;
    const double until = monotonicSeconds() + seconds;
    while (waitReadable(m_line.get(), until - monotonicSeconds()))
        if (::recv(m_line.get(), bytes.data(), bytes.size(), MSG_DONTWAIT) <= 0) break;
    m_line.reset();
}

} // namespace trainyard::run
