// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/mux_channel.h"

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

} // namespace

MuxChannel::MuxChannel(UniqueFd control, OpenRequest request, std::string label)
    : m_label(std::move(label)), m_target(request.address + " port " + std::to_string(request.port)),
      m_control(std::move(control)), m_out{std::move(request.data), {}, MarkedStream(request.marker)},
      m_err{std::move(request.log), {}, MarkedStream(request.marker)}, m_hadDescriptors(static_cast<bool>(m_out.to)),
      m_isConnection(request.marker.empty()), m_state(request.state), m_opened(std::move(request.opened)) {
    if (auto asked = ask(request); !asked) {
        answer(std::move(asked));
        m_control.reset();
    }
}

Result<UniqueFd> MuxChannel::Stream::open() {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0)
        return systemError("a socket pair cannot be made");
    from = UniqueFd(fds[0]);
    return UniqueFd(fds[1]);
}

// That the holder of `to` has closed it shows by itself.
void MuxChannel::Stream::addPollFds(std::vector<pollfd>& fds, bool takesMore) const {
    if (from && !bytes.blocked()) fds.push_back({from.get(), POLLIN, 0});
    if (to && takesMore) fds.push_back({to.get(), static_cast<short>(bytes.blocked() ? POLLOUT : 0), 0});
}

void MuxChannel::Stream::close() {
    to.reset();
    from.reset();
    bytes.drop();
}

Result<void> MuxChannel::ask(const OpenRequest& request) {
    std::vector<UniqueFd> theirs;
    if (m_hadDescriptors) {
        TY_ASSIGN(auto out, m_out.open());
        theirs.push_back(UniqueFd(::fcntl(m_out.to.get(), F_DUPFD_CLOEXEC, 0)));
        theirs.push_back(std::move(out));
        if (!m_isConnection) {
            TY_ASSIGN(auto err, m_err.open());
            theirs.push_back(std::move(err));
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

bool MuxChannel::receive(Stream& stream) {
    if (!stream.from || stream.bytes.blocked()) return false;
    std::array<char, kMuxPiece> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
    const ssize_t count = ::recv(stream.from.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (count <= 0) {
        stream.from.reset();
        return true;
    }
    const std::int64_t pid = stream.bytes.accept({buffer.data(), static_cast<std::size_t>(count)});
    if (pid != 0 && &stream == &m_out) {
        m_pid = pid;
        m_state->recordStart(pid);
    }
    if (stream.bytes.talksTooMuch()) m_control.reset();
    return true;
}

bool MuxChannel::service() {
    if (m_hadDescriptors && !m_abandoned && m_state->isAbandoned()) {
        m_abandoned = true;
        m_control.reset(); // the master closes the channel
        closeDescriptors();
    }
    bool moved = listen();
    moved |= m_out.give();
    moved |= m_err.give();
    moved |= receive(m_out);
    moved |= receive(m_err);
    if (!m_outPassed && m_out.to && m_out.isOver()) {
        m_outPassed = true;
        ::shutdown(m_out.to.get(), SHUT_WR);
        moved = true;
    }
    if (m_isConnection && m_outPassed && m_answered) m_control.reset(); // the other side waits for our end
    return moved;
}

void MuxChannel::addPollFds(std::vector<pollfd>& fds) const {
    if (m_control) fds.push_back({m_control.get(), POLLIN, 0});
    m_out.addPollFds(fds, !m_outPassed);
    m_err.addPollFds(fds, true);
}

bool MuxChannel::over() const { return !m_control && m_out.isOver() && m_err.isOver(); }

void MuxChannel::closeDescriptors() {
    m_out.close();
    m_err.close();
}

void MuxChannel::recordEnd() {
    answer(m_isConnection ? refusal({})
                          : environmentError("the host did not run a command", m_label,
                                             "check that the account may run programs (its shell, ForceCommand)"));
    m_state->recordEnd(m_exitCode ? run::ExitStatus{false, *m_exitCode} : run::ExitStatus{!m_isConnection, m_signal},
                       m_err.bytes.head() + m_out.bytes.head());
    closeDescriptors();
}

void MuxChannel::lose(const std::string& reason) {
    answer(connectionLost(reason, m_label));
    // What has arrived is passed on, and the cause is the last line of the program's log.
    while (receive(m_out) || receive(m_err)) {
        m_out.give();
        m_err.give();
    }
    if (!m_err.bytes.dropped()) m_err.bytes.append("trainyard: connection lost: " + reason + "\n");
    m_err.give();
    m_state->recordLoss(reason);
    closeDescriptors();
}

void MuxChannel::signalled(std::int64_t pid, int signalNumber) {
    if (pid == m_pid) m_signal = signalNumber;
}

} // namespace trainyard::remote
