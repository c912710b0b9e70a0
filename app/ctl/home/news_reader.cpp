// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ctl/home/news_reader.h"

#include "engine/base/clock.h"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace trainyard::ctl {
namespace {

constexpr std::size_t kMostLine = 64u << 20;
constexpr double kSendSeconds = 10;

} // namespace

Result<NewsReader::Heard> NewsReader::read(int from, run::MirrorCopy& copy, const std::string& where) {
    std::array<char, 256u << 10> buffer; // NOLINT(cppcoreguidelines-pro-type-member-init): filled by the read
    const auto count = ::recv(from, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Heard::Nothing;
    if (count <= 0) return Heard::End;
    m_text.append(buffer.data(), static_cast<std::size_t>(count));
    if (m_text.size() > kMostLine) return environmentError("its feed sends a line that is too long", where);
    std::size_t begin = 0;
    for (auto end = m_text.find('\n'); end != std::string::npos; end = m_text.find('\n', begin)) {
        TY_ASSIGN(const auto news, run::mirrorNewsFrom(std::string_view(m_text).substr(begin, end - begin)));
        TY_TRY(copy.apply(news));
        begin = end + 1;
    }
    m_text.erase(0, begin);
    return Heard::Something;
}

Result<void> askFeed(int to, std::string_view lines) {
    const double until = monotonicSeconds() + kSendSeconds;
    while (!lines.empty()) {
        const auto sent = ::send(to, lines.data(), lines.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            lines.remove_prefix(static_cast<std::size_t>(sent));
            continue;
        }
        pollfd room{to, POLLOUT, 0};
        if ((errno != EAGAIN && errno != EINTR) || monotonicSeconds() > until)
            return environmentError("the host does not read its requests").withCode(ErrorCode::ConnectionLost);
        ::poll(&room, 1, 200);
    }
    return {};
}

} // namespace trainyard::ctl
