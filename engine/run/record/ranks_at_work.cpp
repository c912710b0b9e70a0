// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/ranks_at_work.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace trainyard::run {
namespace {

UniqueFd openFolder(const std::filesystem::path& folder) {
    return UniqueFd(folder.empty() ? -1 : ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

} // namespace

RanksAtWork RanksAtWork::join(const std::filesystem::path& checkpoints) {
    auto folder = openFolder(checkpoints);
    if (!folder || ::flock(folder.get(), LOCK_SH) != 0) return {};
    return RanksAtWork(std::move(folder));
}

bool RanksAtWork::areGone(const std::filesystem::path& checkpoints) {
    const auto folder = openFolder(checkpoints);
    return !folder || ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

} // namespace trainyard::run
