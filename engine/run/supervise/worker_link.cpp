// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/supervise/worker_link.h"

#include "engine/base/text/printable.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace trainyard::run {
namespace {

constexpr std::size_t kReadSize = 64 << 10;
constexpr std::size_t kMaxReadAtOnce = 1 << 20; // so that one chatty rank cannot starve the others
constexpr std::size_t kMaxLine = 2000;
constexpr std::size_t kTailLines = 20;
constexpr std::size_t kMaxQueued = 64 << 20;

enum class ReadEnd { Later, Closed };

// Hands what the descriptor holds to `sink` until it would block, is closed or enough was read.
template <class Sink>
ReadEnd drain(int fd, Sink sink) {
    std::array<std::byte, kReadSize> buffer;
    std::size_t total = 0;
    while (total < kMaxReadAtOnce) {
        const ssize_t got = ::read(fd, buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return ReadEnd::Later;
        if (got <= 0) return ReadEnd::Closed;
        sink(std::span(buffer.data(), static_cast<std::size_t>(got)));
        total += static_cast<std::size_t>(got);
    }
    return ReadEnd::Later;
}

} // namespace

WorkerLink::WorkerLink(Placement ofRank, std::unique_ptr<WorkerProcess> process, const std::filesystem::path& logFile,
                       double now)
    : m_process(std::move(process)), m_logPath(logFile) {
    placement = std::move(ofRank);
    launchedAt = lastSign = now;
    state.rank = placement.rank;
    state.host = placement.host;
    state.pid = m_process->pid();
    state.status = wire::RankStatus::Starting;
}

Result<std::vector<wire::Message>> WorkerLink::receive(double now) {
    std::vector<wire::Message> messages;
    if (closed) return messages;
    const auto end = drain(m_process->frameFd(), [&](std::span<const std::byte> bytes) { m_decoder.feed(bytes); });
    closed = end == ReadEnd::Closed;
    for (;;) {
        auto frame = m_decoder.next();
        if (!frame) return std::move(frame).error();
        if (!frame->has_value()) return messages;
        TY_ASSIGN(auto message, wire::decodeMessage(**frame));
        messages.push_back(std::move(message));
        lastSign = std::max(lastSign, now);
    }
}

std::vector<std::string> WorkerLink::readLog() {
    std::vector<std::string> lines;
    if (m_logClosed) return lines;
    const auto end = drain(m_process->logFd(), [&](std::span<const std::byte> bytes) {
        splitLogLines({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, lines);
    });
    m_logClosed = end == ReadEnd::Closed;
    if (m_logClosed) closeLine(lines);
    return lines;
}

void WorkerLink::splitLogLines(std::string_view bytes, std::vector<std::string>& lines) {
    for (const char character : bytes)
        if (character == '\n') closeLine(lines);
        else if (m_line.size() < kMaxLine) m_line += character; // the rest of a longer line is dropped
}

void WorkerLink::writeToFile(const std::string& line) {
    if (!m_logFile.is_open()) {
        std::error_code ignored;
        std::filesystem::create_directories(m_logPath.parent_path(), ignored);
        m_logFile.open(m_logPath, std::ios::app);
    }
    m_logFile << line << '\n' << std::flush;
    m_logFile.clear(); // a full disk must not end the log for good
}

void WorkerLink::closeLine(std::vector<std::string>& lines) {
    if (m_line.empty()) return;
    if (m_line.back() == '\r') m_line.pop_back();
    auto line = printable(m_line, kMaxLine);
    m_line.clear();
    writeToFile(line);
    m_tail.push_back(line);
    if (m_tail.size() > kTailLines) m_tail.pop_front();
    lines.push_back(std::move(line));
}

void WorkerLink::send(const wire::Message& message) {
    if (closed || m_outgoing.size() - m_sent > kMaxQueued) return;
    const auto bytes = wire::encodeMessage(message);
    m_outgoing.insert(m_outgoing.end(), bytes.begin(), bytes.end());
    flush();
}

void WorkerLink::flush() {
    while (hasUnsent()) {
        const ssize_t put = ::write(m_process->frameFd(), m_outgoing.data() + m_sent, m_outgoing.size() - m_sent);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return; // full: poll tells when to go on; closed: reading finds out
        m_sent += static_cast<std::size_t>(put);
    }
    m_outgoing.clear();
    m_sent = 0;
}

} // namespace trainyard::run
