// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/system/mux_channel.h"

#include "remote/ssh/link_loss.h"

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
    return systemError("the system's ssh accepts no requests");
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
    return systemError("the system's ssh accepts no descriptors");
}

// The master's end of a new stream.
Result<UniqueFd> openStream(UniqueFd& ours) {
    int fds[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) != 0)
        return systemError("a socket pair cannot be made");
    ours = UniqueFd(fds[0]);
    return UniqueFd(fds[1]);
}

// That the holder of `to` has closed it shows by itself.
void watch(std::vector<pollfd>& fds, const UniqueFd& from, const MarkedStream& stream, int to) {
    if (from && !stream.blocked()) fds.push_back({from.get(), POLLIN, 0});
    if (to >= 0) fds.push_back({to, static_cast<short>(stream.blocked() ? POLLOUT : 0), 0});
}

} // namespace

MuxChannel::MuxChannel(UniqueFd control, OpenRequest request, std::string label, std::function<bool()> masterEnded)
    : TransportChannel(request), m_label(std::move(label)), m_masterEnded(std::move(masterEnded)),
      m_request(std::move(request)), m_control(std::move(control)) {
    if (auto asked = ask(); !asked) {
        answer(std::move(asked));
        m_control.reset();
    }
}

Result<void> MuxChannel::ask() {
    std::vector<UniqueFd> theirs;
    if (m_hasHolder) {
        TY_ASSIGN(auto out, openStream(m_outFrom));
        theirs.push_back(UniqueFd(::fcntl(m_data.get(), F_DUPFD_CLOEXEC, 0)));
        theirs.push_back(std::move(out));
        if (!m_isConnection) {
            TY_ASSIGN(auto err, openStream(m_errFrom));
            theirs.push_back(std::move(err));
        }
    } else {
        for (int i = 0; i < 3; ++i) theirs.push_back(UniqueFd(::open("/dev/null", O_RDWR | O_CLOEXEC)));
    }
    TY_TRY(sendBytes(m_control.get(),
                     mux::hello() + (m_isConnection ? mux::newConnection(m_request.address, m_request.port)
                                                    : mux::newSession(m_request.command))));
    for (const auto& fd : theirs) TY_TRY(sendDescriptor(m_control.get(), fd.get()));
    return {};
}

void MuxChannel::answer(Result<void> end) {
    if (!m_answered) m_request.opened.set_value(std::move(end));
    m_answered = true;
}

void MuxChannel::take(const mux::Message& message) {
    switch (message.kind) {
    case mux::Kind::Opened: return answer({});
    case mux::Kind::Refused: m_control.reset(); return answer(channelRefused(m_request, m_label, message.reason));
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

bool MuxChannel::receive(UniqueFd& from, MarkedStream& stream) {
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

MuxChannel::Outcome MuxChannel::service() {
    if (!m_abandoned && isAbandoned()) {
        m_abandoned = true;
        m_control.reset(); // the master closes the channel
        close();
    }
    bool moved = listen();
    moved |= give();
    moved |= receive(m_outFrom, m_out);
    moved |= receive(m_errFrom, m_err);
    if (!m_outPassed && m_data && outIsOver()) {
        m_outPassed = true;
        ::shutdown(m_data.get(), SHUT_WR);
        moved = true;
    }
    if (m_isConnection && m_outPassed && m_answered) m_control.reset(); // the other side waits for our end
    if (!isOver()) return moved ? Outcome::Progress : Outcome::Idle;
    if (!toldItsEnd() && m_masterEnded()) return Outcome::LinkLost;
    recordEnd();
    return Outcome::Ended;
}

void MuxChannel::addPollFds(std::vector<pollfd>& fds) const {
    if (m_control) fds.push_back({m_control.get(), POLLIN, 0});
    watch(fds, m_outFrom, m_out, m_outPassed ? -1 : m_data.get());
    watch(fds, m_errFrom, m_err, m_log.get());
}

void MuxChannel::close() {
    m_outFrom.reset();
    m_errFrom.reset();
    closeDescriptors();
}

void MuxChannel::recordEnd() {
    answer(m_isConnection ? channelRefused(m_request, m_label) : commandRefused(m_label));
    m_state->recordEnd(m_exitCode ? run::ExitStatus{false, *m_exitCode} : run::ExitStatus{!m_isConnection, m_signal},
                       m_err.head() + m_out.head());
    close();
}

void MuxChannel::lose(const std::string& reason) {
    answer(connectionLost(reason, m_label));
    while (receive(m_outFrom, m_out) || receive(m_errFrom, m_err)) give();
    TransportChannel::lose(reason);
}

void MuxChannel::signalled(std::int64_t group, int signalNumber) {
    if (group == m_pid) m_signal = signalNumber;
}

} // namespace trainyard::remote
