// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/program/follow/output_cap.h"

#include "engine/base/unique_fd.h"

#include <fcntl.h>
#include <sys/stat.h>

namespace trainyard::run {
namespace {

constexpr double kCapSeconds = 1;
constexpr std::int64_t kBlock = 512; // of st_blocks

} // namespace

void OutputCap::look(double now) {
    if (now < m_due) return;
    m_due = now + kCapSeconds;
    struct stat info{};
    if (::lstat(m_file.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return;
    if (info.st_blocks * kBlock <= m_limits.most) return;
    const std::int64_t from = m_limits.head, to = info.st_size - m_limits.tail;
    const UniqueFd file(::open(m_file.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (file && to > from) (void)::fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, to - from);
}

} // namespace trainyard::run
