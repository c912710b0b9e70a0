// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/unique_fd.h"

#include <filesystem>

namespace trainyard::run {

// Tells whether ranks may still write into a folder of checkpoints: each holds a shared lock (flock) on it while it
// trains, which the kernel releases however the rank ends. Ranks may outlive their supervisor for the time of a save.
class RanksAtWork {
public:
    RanksAtWork() = default;
    // Does nothing if the folder does not exist or cannot be locked.
    static RanksAtWork join(const std::filesystem::path& checkpoints);
    // False while a rank has joined.
    static bool areGone(const std::filesystem::path& checkpoints);

private:
    explicit RanksAtWork(UniqueFd lock) : m_lock(std::move(lock)) {}
    UniqueFd m_lock;
};

} // namespace trainyard::run
