// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/machine/sandbox.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

// A program that is run for its answer, in the sandbox: it can read, compute and print, and nothing else.
struct ConfinedProgram {
    std::vector<std::string> words;       // words[0] is a file
    std::vector<std::string> environment; // "NAME=value": all of it
    std::filesystem::path folder;         // where it runs
    SandboxLimits limits;
    std::size_t mostOutput = std::size_t{16} << 20;
    bool isTrusted = false; // it runs without the sandbox, within the same time
};

// What it has printed, and how it ended.
struct ConfinedAnswer {
    std::string output;                     // stdout; stderr goes nowhere
    int status = 0;                         // as of waitpid()
    bool isLate = false, isTooLong = false; // it was killed for that
};

// Blocks until it has ended, at most limits.wallSeconds, or on a busy computer ten times as long: the time in which it
// could have computed and had no core does not count. Any thread. Environment: it cannot be started, or the kernel
// has no seccomp.
Result<ConfinedAnswer> runConfined(const ConfinedProgram& program);

} // namespace trainyard
