// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/mux_channel.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace trainyard::remote {
namespace {

constexpr std::size_t kMuxPiece = 128u << 10;

Result<void> sendBytes(int socket, std::string_view bytes) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count == static_cast<ssize_t>(bytes.size())) return {};
    return systemError("the system's ssh takes no request");
}

// One descriptor with one byte, as the master reads them.
Result<void> sendDescriptor(int socket, int fd) {
    char byte = 0;
    iovec piece{&byte, 1};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
    if (::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1) return {};
    return systemError("the system's ssh takes no descriptor");
}

// Our end, and the one that the master gets.
Result<std::pair<UniqueFd, UniqueFd>> streamPair() {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0)
        return systemError("a socket pair cannot be made");
    return std::pair{UniqueFd(fds[0]), UniqueFd(fds[1])};
}

} // namespace

MuxChannel::MuxChannel(UniqueFd control, OpenRequest request, std::string label)
    : m_label(std::move(label)), m_target(request.address + " port " + std::to_string(request.port)),
      m_control(std::move(control)), m_data(std::move(request.data)), m_log(std::move(request.log)),
      m_hadDescriptors(static_cast<bool>(m_data)), m_isConnection(request.marker.empty()), m_state(request.state),
      m_opened(std::move(request.opened)), m_out(request.marker), m_err(request.marker) {
    if (auto asked = ask(request); !asked) {
        answer(std::move(asked));
        m_control.reset();
    }
}

Result<void> MuxChannel::ask(const OpenRequest& request) {
    std::vector<UniqueFd> theirs;
    if (m_hadDescriptors) {
        TY_ASSIGN(auto out, streamPair());
        m_fromOut = std::move(out.first);
        theirs.push_back(UniqueFd(::fcntl(m_data.get(), F_DUPFD_CLOEXEC, 0)));
        theirs.push_back(std::move(out.second));
        if (!m_isConnection) {
            TY_ASSIGN(auto err, streamPair());
            m_fromErr = std::move(err.first);
            theirs.push_back(std::move(err.second));
        }
    } else {
        for (int i = 0; i < 3; ++i) theirs.push_back(UniqueFd(::open("/dev/null", O_RDWR | O_CLOEXEC)));
    }
    TY_TRY(sendBytes(m_control.get(), mux::hello() + (m_isConnection ? mux::newConnection(request.address, request.port)
                                                                     : mux::newSession(request.command))));
    for (const auto& fd : theirs) TY_TRY(sendDescriptor(m_control.get(), fd.get()));
    return {};
}

void MuxChannel::answer(Result<void> end) {
    if (!m_answered) m_opened.set_value(std::move(end));
    m_answered = true;
}

Error MuxChannel::refusal(const std::string& reason) const {
    if (m_isConnection)
        return environmentError("nothing answers at " + m_target + " of the host", m_label,
                                "start what listens there; sshd may also forbid AllowTcpForwarding");
    return environmentError("the host allows no further channel on this connection (" + reason + ")", m_label,
                            "raise MaxSessions in the host's sshd_config");
}

void MuxChannel::take(const mux::Message& message) {
    switch (message.kind) {
    case mux::Kind::Opened: return answer({});
    case mux::Kind::Refused: m_control.reset(); return answer(refusal(message.reason));
    case mux::Kind::Exit: m_exitCode = static_cast<int>(message.code); return;
    case mux::Kind::Hello:
    case mux::Kind::Other: return;
    }
}

// True when the master said something, or has ended its side.
bool MuxChannel::listen() {
    if (!m_control) return false;
    std::array<char, 4096> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
    const ssize_t count = ::recv(m_control.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (count <= 0) {
        m_control.reset();
        return true;
    }
    m_reader.accept({buffer.data(), static_cast<std::size_t>(count)});
    for (;;) {
        auto message = m_reader.next();
        if (!message) {
            m_control.reset();
            return true;
        }
        if (!message->has_value()) return true;
        take(**message);
    }
}

bool MuxChannel::receive(MarkedStream& stream, UniqueFd& from) {
    if (!from || stream.blocked()) return false;
    std::array<char, kMuxPiece> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
    const ssize_t count = ::recv(from.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (count <= 0) {
        from.reset();
        return true;
    }
    const std::int64_t pid = stream.accept({buffer.data(), static_cast<std::size_t>(count)});
    if (pid != 0 && &stream == &m_out) {
        m_pid = pid;
        m_state->recordStart(pid);
    }
    if (stream.talksTooMuch()) m_control.reset();
    return true;
}

bool MuxChannel::service() {
    if (m_hadDescriptors && !m_abandoned && m_state->isAbandoned()) {
        m_abandoned = true;
        m_control.reset(); // the master closes the channel
        closeDescriptors();
    }
    bool moved = listen();
    moved |= m_out.give(m_data.get());
    moved |= m_err.give(m_log.get());
    moved |= receive(m_out, m_fromOut);
    moved |= receive(m_err, m_fromErr);
    if (!m_outPassed && m_data && !m_fromOut && !m_out.blocked()) {
        m_outPassed = true;
        ::shutdown(m_data.get(), SHUT_WR);
        moved = true;
    }
    if (m_isConnection && m_outPassed && m_answered) m_control.reset(); // the other side waits for our end
    return moved;
}

void MuxChannel::addPollFds(std::vector<pollfd>& fds) const {
    const auto add = [&fds](const UniqueFd& fd, short events) {
        if (fd) fds.push_back({fd.get(), events, 0});
    };
    add(m_control, POLLIN);
    if (!m_out.blocked()) add(m_fromOut, POLLIN);
    if (!m_err.blocked()) add(m_fromErr, POLLIN);
    if (!m_outPassed) add(m_data, m_out.blocked() ? POLLOUT : 0); // its holder's end shows by itself
    add(m_log, m_err.blocked() ? POLLOUT : 0);                    // its holder's end shows by itself
}

bool MuxChannel::over() const { return !m_control && !m_fromOut && !m_fromErr && !m_out.blocked() && !m_err.blocked(); }

void MuxChannel::closeDescriptors() {
    m_data.reset();
    m_log.reset();
    m_fromOut.reset();
    m_fromErr.reset();
    m_out.drop();
    m_err.drop();
}

void MuxChannel::recordEnd() {
    answer(m_isConnection ? refusal({})
                          : environmentError("the host did not run a command", m_label,
                                             "check that the account may run programs (its shell, ForceCommand)"));
    m_state->recordEnd(m_exitCode ? run::ExitStatus{false, *m_exitCode} : run::ExitStatus{!m_isConnection, m_signal},
                       m_err.head() + m_out.head());
    closeDescriptors();
}

void MuxChannel::lose(const std::string& reason) {
    answer(connectionLost(reason, m_label));
    // What has arrived is passed on, and the cause is the last line of the program's log.
    while (receive(m_out, m_fromOut) || receive(m_err, m_fromErr)) {
        m_out.give(m_data.get());
        m_err.give(m_log.get());
    }
    if (!m_err.dropped()) m_err.append("trainyard: connection lost: " + reason + "\n");
    m_err.give(m_log.get());
    m_state->recordLoss(reason);
    closeDescriptors();
}

void MuxChannel::signalled(std::int64_t pid, int signalNumber) {
    if (pid == m_pid) m_signal = signalNumber;
}

} // namespace trainyard::remote
