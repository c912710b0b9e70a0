// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/library/library_channel.h"

#include "remote/ssh/library/raw_session.h"
#include "remote/ssh/ssh_session.h"

#include <libssh2.h>

#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace trainyard::remote {
namespace {

constexpr std::size_t kPiece = 128u << 10;

} // namespace

LibraryChannel::LibraryChannel(RawSession& raw, _LIBSSH2_CHANNEL* channel, OpenRequest& request)
    : TransportChannel(request), m_raw(raw), m_channel(channel), m_inputOpen(hasHolder()) {
    request.opened.set_value({});
}

LibraryChannel::Outcome LibraryChannel::judge(long code) const {
    switch (code) {
    case LIBSSH2_ERROR_SOCKET_SEND:
    case LIBSSH2_ERROR_SOCKET_RECV:
    case LIBSSH2_ERROR_SOCKET_DISCONNECT:
    case LIBSSH2_ERROR_SOCKET_TIMEOUT:
    case LIBSSH2_ERROR_BAD_SOCKET:
    case LIBSSH2_ERROR_INVALID_MAC:
    case LIBSSH2_ERROR_DECRYPT:
    case LIBSSH2_ERROR_PROTO: return Outcome::LinkLost;
    default: return Outcome::Idle;
    }
}

LibraryChannel::Outcome LibraryChannel::receive(MarkedStream& stream, int id) {
    std::array<char, kPiece> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
    const ssize_t count =
        m_raw.settle([&] { return libssh2_channel_read_ex(m_channel, id, buffer.data(), buffer.size()); });
    if (count > 0) {
        const std::int64_t pid = stream.accept({buffer.data(), static_cast<std::size_t>(count)});
        if (pid != 0 && &stream == &m_out) m_state->recordStart(pid);
        if (stream.talksTooMuch()) m_closing = true;
        return Outcome::Progress;
    }
    return count == 0 ? Outcome::Idle : judge(count);
}

LibraryChannel::Outcome LibraryChannel::sendEof() {
    if (m_eofSent) return Outcome::Idle;
    const int code = m_raw.settle([&] { return libssh2_channel_send_eof(m_channel); });
    if (code == LIBSSH2_ERROR_EAGAIN) return Outcome::Idle;
    m_eofSent = true;
    return code < 0 ? judge(code) : Outcome::Progress;
}

LibraryChannel::Outcome LibraryChannel::sendInput() {
    if (m_input.empty() && m_inputOpen) {
        std::array<char, kPiece> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init)
        const ssize_t count = ::recv(m_data.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (count > 0) m_input.assign(buffer.data(), static_cast<std::size_t>(count));
        else if (count == 0 || (errno != EAGAIN && errno != EINTR)) m_inputOpen = false;
    }
    if (m_input.empty()) return m_inputOpen ? Outcome::Idle : sendEof();
    Outcome outcome = Outcome::Idle;
    while (m_inputOffset < m_input.size()) {
        // Nothing is begun that the host's window would leave half-done: the other channels go on meanwhile.
        const std::size_t left = m_input.size() - m_inputOffset;
        const ssize_t count =
            m_raw.settle([&] { return libssh2_channel_write_ex(m_channel, 0, m_input.data() + m_inputOffset, left); });
        if (count == LIBSSH2_ERROR_EAGAIN || count == 0) return outcome;
        if (count < 0) {
            if (judge(count) == Outcome::LinkLost) return Outcome::LinkLost;
            m_inputOffset = m_input.size(); // the program is gone; how it ended follows
            m_inputOpen = false;
            break;
        }
        m_inputOffset += static_cast<std::size_t>(count);
        outcome = Outcome::Progress;
    }
    m_input.clear();
    m_inputOffset = 0;
    return Outcome::Progress;
}

void LibraryChannel::recordEnd() {
    run::ExitStatus status{false, libssh2_channel_get_exit_status(m_channel)};
    char* name = nullptr;
    std::size_t length = 0;
    libssh2_channel_get_exit_signal(m_channel, &name, &length, nullptr, nullptr, nullptr, nullptr);
    if (name != nullptr) {
        status = {true, signalFromName(std::string(name, length))};
        libssh2_free(m_raw.session(), name);
    }
    m_state->recordEnd(status, m_err.head() + m_out.head());
    closeDescriptors();
}

LibraryChannel::Outcome LibraryChannel::finish() {
    const int code = m_raw.settle(
        [&] { return m_closing ? libssh2_channel_close(m_channel) : libssh2_channel_wait_closed(m_channel); });
    if (code == LIBSSH2_ERROR_EAGAIN) return Outcome::Idle;
    if (judge(code) == Outcome::LinkLost) return Outcome::LinkLost;
    recordEnd();
    while (libssh2_channel_free(m_channel) == LIBSSH2_ERROR_EAGAIN && m_raw.blockedOutbound()) {}
    m_channel = nullptr;
    return Outcome::Ended;
}

LibraryChannel::Outcome LibraryChannel::service() {
    if (!m_closing && isAbandoned()) {
        m_closing = true;
        closeDescriptors();
    }
    if (m_closing || m_draining) return finish();
    Outcome outcome = Outcome::Idle;
    const auto note = [&outcome](Outcome part) {
        if (part == Outcome::LinkLost || outcome != Outcome::LinkLost) {
            if (part != Outcome::Idle) outcome = part;
        }
    };
    if (give()) outcome = Outcome::Progress;
    // Reading one stream widens the window of both, so a slow reader of either stops both.
    if (!blocked()) note(receive(m_out, 0));
    if (outcome != Outcome::LinkLost && !blocked()) note(receive(m_err, SSH_EXTENDED_DATA_STDERR));
    if (outcome == Outcome::LinkLost) return outcome;
    note(sendInput());
    if (outcome == Outcome::LinkLost) return outcome;
    if (!blocked() && libssh2_channel_eof(m_channel) == 1) {
        if (m_data) ::shutdown(m_data.get(), SHUT_WR);
        m_log.reset();
        (m_isConnection ? m_closing : m_draining) = true; // the other side waits for our end
        return Outcome::Progress;
    }
    return outcome;
}

void LibraryChannel::addPollFds(std::vector<pollfd>& fds) const {
    if (m_closing || m_draining || !m_data) return;
    short events = 0;
    if (m_inputOpen && m_input.empty()) events |= POLLIN;
    if (m_out.blocked()) events |= POLLOUT;
    if (events != 0) fds.push_back({m_data.get(), events, 0});
    if (m_err.blocked()) fds.push_back({m_log.get(), POLLOUT, 0});
}

} // namespace trainyard::remote
