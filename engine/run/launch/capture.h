// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/base/unique_fd.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard::run {

// The output of a program, and how it ended.
struct Captured {
    int exitCode = 0;           // 128 + the signal's number when it was killed
    std::string output, errors; // stdout and stderr
};

// Runs a program to its end, with these variables besides, and returns its output (at most 16 MB). Kills it after
// `seconds`. Environment: it cannot be started, or it was killed for the time.
Result<Captured> capture(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                         double seconds, const std::map<std::string, std::string>& variables = {});

// The parts of it that serve for a process which another one starts: reads both streams to their ends; false when the
// deadline, of monotonicSeconds(), is over first.
bool readToEnds(UniqueFd& output, UniqueFd& errors, Captured& captured, double deadline);
Error tookTooLong(const std::filesystem::path& program, double seconds);

} // namespace trainyard::run
