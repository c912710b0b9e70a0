// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/run_folder.h"

#include <filesystem>
#include <optional>

namespace trainyard::sweep {

// Instructions for a sweep's supervisor, read from the sweep's folder.
struct SweepLaunch {
    std::string sweep, workspace;
    std::optional<run::RankProgram> program{}; // that runs as each rank of each trial; nothing: trainyard-worker
};
Result<void> writeSweepLaunch(const std::filesystem::path& folder, const SweepLaunch& launch);
Result<SweepLaunch> readSweepLaunch(const std::filesystem::path& folder); // Input when it is not a sweep's folder

} // namespace trainyard::sweep
