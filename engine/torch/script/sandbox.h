// SPDX-License-Identifier: GPL-3.0-or-later
// Limits on what code from outside may do. A saved module is a program: loading it runs code of its own, and so does
// every forward pass. Linux only: a seccomp filter, resource limits and, where it is allowed, an empty network.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <string>

namespace trainyard::script {

struct Limits {
    double wallSeconds = 600; // for what waits; enforced by the parent process
    double cpuSeconds = 60;   // a loop without end is found by these, however busy the computer is
    std::int64_t memoryBytes = std::int64_t{4} << 30; // on top of what the process has mapped already
};

// For this whole process and for good: no network, no other program or process, nothing in the file system made,
// changed or opened for writing, and the limits. Call it while there is one thread. Environment when the kernel has no
// seccomp.
Result<void> enterSandbox(const Limits& limits);

// What the process has tried since then and was denied: "open a file for writing", …; empty when nothing.
std::string deniedAttempt();

// The same rules, without the limits, for the calling thread only and for good. Threads that it starts inherit them.
Result<void> restrictThread();

} // namespace trainyard::script
