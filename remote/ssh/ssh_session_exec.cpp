// SPDX-License-Identifier: GPL-3.0-or-later
// A program run to its end: feeds its input and gathers its output on the caller's thread.
#include "engine/base/clock.h"
#include "engine/base/text/printable.h"
#include "remote/ssh/ssh_session.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace trainyard::remote {
namespace {

class Exec {
public:
    Exec(SshChannel& channel, const ExecOptions& options, const std::string& label)
        : m_channel(channel), m_options(options), m_label(label), m_buffer(256u << 10) {}
    Result<ExecResult> run();

private:
    Result<void> feed();
    Result<bool> gather(int fd, bool isOutput); // false at the end of the stream
    Result<void> step();

    SshChannel& m_channel;
    const ExecOptions& m_options;
    const std::string& m_label;
    std::vector<char> m_buffer;
    std::vector<char> m_input = std::vector<char>(1u << 20);
    std::size_t m_inputSize = 0, m_inputOffset = 0, m_inputTaken = 0;
    bool m_feeding = true, m_outOpen = true, m_errOpen = true;
    double m_lastMove = monotonicSeconds();
    ExecResult m_result;
};

Result<void> Exec::feed() {
    if (m_inputOffset == m_inputSize) {
        m_inputOffset = 0;
        if (m_options.source) {
            TY_ASSIGN(m_inputSize, m_options.source(m_input));
        } else {
            m_inputSize = m_options.input.copy(m_input.data(), m_input.size(), m_inputTaken);
            m_inputTaken += m_inputSize;
        }
        if (m_inputSize == 0) {
            m_feeding = false;
            m_channel.endInput();
            return {};
        }
    }
    const ssize_t count = ::send(m_channel.dataFd(), m_input.data() + m_inputOffset, m_inputSize - m_inputOffset,
                                 MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
        m_inputOffset += static_cast<std::size_t>(count);
        m_lastMove = monotonicSeconds();
    } else if (errno != EAGAIN && errno != EINTR) {
        m_feeding = false; // the program ended without reading it all; its exit status tells why
    }
    return {};
}

Result<bool> Exec::gather(int fd, bool isOutput) {
    const ssize_t count = ::recv(fd, m_buffer.data(), m_buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (count <= 0) return false;
    m_lastMove = monotonicSeconds();
    const auto size = static_cast<std::size_t>(count);
    if (isOutput && m_options.sink) {
        TY_TRY(m_options.sink(std::as_bytes(std::span(m_buffer.data(), size))));
        return true;
    }
    std::string& text = isOutput ? m_result.out : m_result.err;
    if (text.size() + size > m_options.maxOutput)
        return environmentError("a command printed more than " + std::to_string(m_options.maxOutput) + " bytes",
                                m_label);
    text.append(m_buffer.data(), size);
    return true;
}

Result<void> Exec::step() {
    std::array<pollfd, 2> fds{
        {{m_outOpen || m_feeding ? m_channel.dataFd() : -1, 0, 0}, {m_errOpen ? m_channel.logFd() : -1, POLLIN, 0}}};
    if (m_outOpen) fds[0].events |= POLLIN;
    if (m_feeding) fds[0].events |= POLLOUT;
    ::poll(fds.data(), fds.size(), 500);
    if (m_feeding && (fds[0].revents & (POLLOUT | POLLERR)) != 0) TY_TRY(feed());
    if (m_outOpen && (fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
        TY_ASSIGN(m_outOpen, gather(m_channel.dataFd(), true));
        if (!m_outOpen) m_feeding = false;
    }
    if (m_errOpen && fds[1].revents != 0) { TY_ASSIGN(m_errOpen, gather(m_channel.logFd(), false)); }
    return {};
}

Result<ExecResult> Exec::run() {
    while (m_outOpen || m_errOpen) {
        TY_TRY(step());
        if (monotonicSeconds() - m_lastMove > m_options.silenceSeconds)
            return environmentError("a command gave no sign of life for " +
                                        std::to_string(static_cast<int>(m_options.silenceSeconds)) + " s",
                                    m_label);
    }
    if (!m_channel.waitForEnd(m_options.silenceSeconds))
        return environmentError("a command closed its output but did not end", m_label);
    if (const std::string reason = m_channel.lossReason(); !reason.empty()) return connectionLost(reason, m_label);
    m_result.status = *m_channel.exitStatus();
    return std::move(m_result);
}

} // namespace

std::string ExecResult::complaint() const {
    std::string line;
    for (std::size_t end = err.size(); end > 0 && line.empty();) {
        const auto start = err.rfind('\n', end - 1);
        const std::size_t from = start == std::string::npos ? 0 : start + 1;
        line = printable(std::string_view(err).substr(from, end - from), 300);
        end = start == std::string::npos ? 0 : start;
    }
    return line.empty() ? "it " + status.text() : line;
}

Result<ExecResult> SshSession::exec(const std::vector<std::string>& arguments, const ExecOptions& options) {
    TY_ASSIGN(const auto channel, start(arguments, options.environment, options.sink ? 16u << 20 : 4u << 20));
    auto result = Exec(*channel, options, m_host.label()).run();
    // A program that is given up must not go on unseen.
    if (!result && !channel->exitStatus()) signalGroup(channel->pid(), SIGKILL);
    return result;
}

} // namespace trainyard::remote
