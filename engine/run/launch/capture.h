// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <vector>

namespace trainyard::run {

// What a program printed, and how it ended.
struct Captured {
    int exitCode = 0;           // 128 + the signal's number when it was killed
    std::string output, errors; // stdout and stderr
};

// Runs a program to its end and gives what it printed (at most 16 MB). Ends it after `seconds`. Environment when it
// cannot be started or takes too long.
Result<Captured> capture(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                         double seconds);

} // namespace trainyard::run
