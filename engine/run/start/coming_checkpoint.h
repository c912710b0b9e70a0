// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/run_folder.h"
#include "engine/store/store.h"

#include <optional>
#include <utility>

namespace trainyard::run {

// The checkpoint that a run begins from, while it is copied. The run's folder is created only afterwards: the copy may
// take long, and a process that is killed meanwhile must not leave an unknown run.
class ComingCheckpoint {
public:
    // Brings it beside the folders of runs; a link where the file system allows it. Nothing comes of an empty file: the
    // run begins from scratch. Environment: it cannot be copied.
    static Result<ComingCheckpoint> bring(const RunFolder& folder, const std::string& file);
    // Its place in the run's folder. Environment: it cannot be moved there.
    Result<void> moveTo(const std::filesystem::path& file) const;

    ComingCheckpoint(ComingCheckpoint&& other) noexcept
        : m_place(std::exchange(other.m_place, {})), m_lock(std::move(other.m_lock)) {}
    ComingCheckpoint& operator=(ComingCheckpoint&&) = delete;
    ~ComingCheckpoint();

private:
    ComingCheckpoint() = default;
    std::filesystem::path m_place; // a folder of its own
    std::optional<store::RunLock> m_lock;
};

// Removes leftovers of killed processes beside this folder that are older than a minute.
void removeAbandonedCheckpoints(const RunFolder& folder);

} // namespace trainyard::run
