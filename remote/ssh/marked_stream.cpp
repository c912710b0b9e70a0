// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/ssh/marked_stream.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>

namespace trainyard::remote {

std::int64_t MarkedStream::accept(std::string_view bytes) {
    if (m_started) {
        if (!m_dropped) m_pending.append(bytes);
        return 0;
    }
    m_head.append(bytes);
    const auto at = m_head.find(m_marker);
    const auto end = at == std::string::npos ? at : m_head.find('\n', at + m_marker.size());
    if (end == std::string::npos) return 0;
    const std::int64_t pid = std::strtoll(m_head.c_str() + at + m_marker.size(), nullptr, 10);
    m_started = true;
    if (!m_dropped) m_pending = m_head.substr(end + 1);
    m_head.clear();
    return pid;
}

bool MarkedStream::give(int fd) {
    if (m_pending.empty()) return false;
    const ssize_t count =
        ::send(fd, m_pending.data() + m_offset, m_pending.size() - m_offset, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (count < 0) m_dropped = true;
    else m_offset += static_cast<std::size_t>(count);
    if (m_dropped || m_offset == m_pending.size()) {
        m_pending.clear();
        m_offset = 0;
    }
    return true;
}

void MarkedStream::drop() {
    m_dropped = true;
    m_pending.clear();
    m_offset = 0;
}

} // namespace trainyard::remote
