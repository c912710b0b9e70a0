// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/access_log.h"

#include "engine/base/clock.h"
#include "engine/base/text/printable.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace trainyard::serve {
namespace {

constexpr std::int64_t kMostBytes = 16 << 20;

} // namespace

AccessLog::AccessLog(std::filesystem::path file) : m_path(std::move(file)) { open(); }

void AccessLog::open() {
    m_file.reset();
    const int fd = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    struct stat info{};
    if (fd < 0) return;
    m_bytes = ::fstat(fd, &info) == 0 ? info.st_size : 0;
    m_file.reset(::fdopen(fd, "a"));
    if (!m_file) ::close(fd);
}

bool AccessLog::takes(int status) {
    if (!m_file) return false;
    const std::int64_t second = wallClockMs() / 1000;
    if (second != m_second) {
        m_second = second;
        m_inSecond = 0;
    }
    return ++m_inSecond <= kMostPerSecond || status >= 400;
}

void AccessLog::add(std::string_view method, std::string_view path, int status, double ms, std::string_view version) {
    if (!m_file) return;
    const int wrote = std::fprintf(m_file.get(), "%s %.*s %s %d %.3f %.*s\n", isoTime(wallClockMs()).c_str(),
                                   static_cast<int>(method.size()), method.data(), printable(path).c_str(), status, ms,
                                   static_cast<int>(version.size()), version.data());
    m_bytes += wrote > 0 ? wrote : 0;
    if (m_bytes < kMostBytes) return;
    std::error_code ignored;
    m_file.reset();
    std::filesystem::rename(m_path, m_path.string() + ".1", ignored);
    open();
}

void AccessLog::flush() {
    if (m_file) std::fflush(m_file.get());
}

} // namespace trainyard::serve
