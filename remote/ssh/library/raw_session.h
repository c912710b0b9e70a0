// SPDX-License-Identifier: GPL-3.0-or-later
// Inside remote/ssh/library: the libssh2 session with its socket, and the steps that open it.
#pragma once

#include "engine/base/unique_fd.h"
#include "remote/ssh/ssh_session.h"

#include <sys/types.h>

#include <string>
#include <string_view>

struct _LIBSSH2_SESSION;

namespace trainyard::remote {

// Owns socket and session; non-blocking. One thread at a time.
class RawSession {
public:
    explicit RawSession(UniqueFd socket);
    ~RawSession();
    RawSession(const RawSession&) = delete;
    RawSession& operator=(const RawSession&) = delete;

    _LIBSSH2_SESSION* session() const { return m_session; }
    int socket() const { return m_socket.get(); }
    bool blockedOutbound() const;
    // Waits until the socket is ready for what the last call wanted; false at the deadline (monotonicSeconds).
    bool wait(double deadline) const;
    // Repeats a call while it returns EAGAIN, up to the deadline; returns its last answer.
    template <class Call>
    auto repeat(double deadline, Call call) const {
        for (;;) {
            const auto answer = call();
            if (answer != kAgain || !wait(deadline)) return answer;
        }
    }
    // Repeats while the call returns EAGAIN with a half-sent packet, which only the same call can finish.
    template <class Call>
    auto settle(Call call) const {
        for (;;) {
            const auto answer = call();
            if (answer != kAgain || !blockedOutbound() || !waitWritable()) return answer;
        }
    }
    std::string lastError() const;
    int lastErrorCode() const;
    std::string socketTrouble() const; // plain cause of a dead socket

    // Lifts the limit on bytes before the handshake, without which libssh2 would read an endless greeting for ever.
    void endHandshake() { m_handshakeBytes = kNoLimit; }
    // Bytes arrived, but no line like the first one of SSH servers.
    bool heardSomethingElse() const { return m_handshakeBytes < kHandshakeBytes && m_lineStart != kVersionLine; }

    static constexpr int kAgain = -37; // LIBSSH2_ERROR_EAGAIN

private:
    static constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1), kHandshakeBytes = 256u << 10;
    static constexpr std::string_view kVersionLine = "\nSSH-";
    void hear(std::string_view bytes);
    static ssize_t receive(int socket, void* buffer, std::size_t length, int flags, void** self);
    bool waitWritable() const;
    std::size_t m_handshakeBytes = kHandshakeBytes;
    std::string m_lineStart = "\n"; // the last bytes heard, until they are kVersionLine
    UniqueFd m_socket;
    _LIBSSH2_SESSION* m_session = nullptr;
};

// TCP connection, handshake and check of the host key. `failure` is set where there are no common methods.
Result<std::unique_ptr<RawSession>> openSession(const HostEntry& host, const ConnectOptions& options, SshFacts& facts,
                                                LibraryFailure& failure);
Result<void> signIn(RawSession& raw, const HostEntry& host, const ConnectOptions& options, SshFacts& facts);

} // namespace trainyard::remote
