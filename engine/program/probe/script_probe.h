// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/probe/probe_answer.h"

#include <filesystem>

namespace trainyard::program {

// What becomes of packages that are not the project's: they are replaced, or imported where they are installed.
enum class ProbeImports { Replaced, Real };

// How a script is probed.
struct ProbeOptions {
    std::string interpreter{}; // as the run file's; empty: found beside the script
    std::string folder{};      // where the script runs; empty: its project
    ProbeImports imports = ProbeImports::Replaced;
    double seconds = 10; // without those in which it waits for a core
    std::int64_t memoryBytes = std::int64_t{2} << 30;
};

// Runs a Python script up to its arguments, in the sandbox: it writes nothing, reaches no network and starts no
// program. Blocks for as long as that takes, at most options.seconds, or on a busy computer ten times as long; any
// thread. Input, with file and remedy: there is
// no such script, or it ends, hangs or asks for too much before it has told anything. Environment: there is no Python,
// or it cannot be confined.
Result<ProbeAnswer> probeScript(const std::filesystem::path& script, const ProbeOptions& options = {});

// What the script takes, read and probed. A probe that fails costs what it would have added: `problem` says why. The
// errors of readArguments().
struct ProbedArguments {
    ScriptArguments arguments;
    std::optional<Error> problem{};
    double seconds = 0; // of the probe, with its start
};
Result<ProbedArguments> probeArguments(const std::filesystem::path& script, const ProbeOptions& options = {});

} // namespace trainyard::program
