// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serve/server/access_log.h"

#include "engine/base/clock.h"
#include "engine/base/text/printable.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <utility>

namespace trainyard::serve {
namespace {

constexpr std::int64_t kMostBytes = 16 << 20;
constexpr std::size_t kMostCollected = 4 << 20; // where nobody takes them

} // namespace

bool AccessLog::takes(int status) {
    const std::int64_t second = wallClockMs() / 1000;
    if (second != m_second) {
        m_second = second;
        m_inSecond = 0;
    }
    return (++m_inSecond <= kMostPerSecond || status >= 400) && m_lines.size() < kMostCollected;
}

void AccessLog::add(std::string_view method, std::string_view path, int status, double ms, std::string_view version) {
    std::array<char, 64> numbers{};
    std::snprintf(numbers.data(), numbers.size(), " %d %.3f ", status, ms);
    m_lines += isoTime(wallClockMs()) + ' ';
    m_lines.append(method) += ' ';
    m_lines += printable(path);
    m_lines += numbers.data();
    m_lines.append(version) += '\n';
}

std::string AccessLog::take() { return std::exchange(m_lines, {}); }

AccessFile::AccessFile(std::filesystem::path file) : m_path(std::move(file)) { open(); }

void AccessFile::open() {
    m_file.reset(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
    struct stat info{};
    m_bytes = m_file && ::fstat(m_file.get(), &info) == 0 ? info.st_size : 0;
}

void AccessFile::append(std::string_view lines) {
    if (!m_file) return;
    const ssize_t wrote = lines.empty() ? 0 : ::write(m_file.get(), lines.data(), lines.size());
    m_bytes += wrote > 0 ? wrote : 0;
    if (m_bytes < kMostBytes) return;
    std::error_code ignored;
    std::filesystem::rename(m_path, m_path.string() + ".1", ignored);
    open();
}

} // namespace trainyard::serve
