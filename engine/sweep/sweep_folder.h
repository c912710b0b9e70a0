// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>

namespace trainyard::sweep {

// What a sweep's supervisor is told through its folder.
struct SweepLaunch {
    std::string sweep, workspace;
};
Result<void> writeSweepLaunch(const std::filesystem::path& folder, const SweepLaunch& launch);
Result<SweepLaunch> readSweepLaunch(const std::filesystem::path& folder); // Input when it is not a sweep's folder

} // namespace trainyard::sweep
