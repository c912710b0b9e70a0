// SPDX-License-Identifier: GPL-3.0-or-later
// Limits on what code from outside may do: a saved module, which is a program, and a script that is asked for its
// arguments. Linux only: a seccomp filter, resource limits and, where it is allowed, an empty network.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <memory>
#include <string>

namespace trainyard {

struct SandboxLimits {
    double wallSeconds = 600; // for what waits; enforced by the parent process
    double cpuSeconds = 60;   // a loop without end is found by these, however busy the computer is
    std::int64_t memoryBytes = std::int64_t{4} << 30; // on top of what the process has mapped already
};

// For this whole process and for good: no network, no other program or process, nothing in the file system made,
// changed or opened for writing, and the limits. Call it while there is one thread. Environment when the kernel has no
// seccomp.
Result<void> enterSandbox(const SandboxLimits& limits);

// What the process has tried since then and was denied: "open a file for writing", …; empty when nothing.
std::string deniedAttempt();

// The same rules, without the limits, for the calling thread only and for good. Threads that it starts inherit them.
Result<void> restrictThread();

// The same for a program that is started, which is to be told "not permitted" and go on. Made before the fork, as
// nothing may be allocated behind it.
class ProgramSandbox {
public:
    // `program`: the path that execve is called with, at this very address. No other program can be started. Memory is
    // that which the program writes to.
    ProgramSandbox(const char* program, const SandboxLimits& limits);
    ~ProgramSandbox();
    ProgramSandbox(const ProgramSandbox&) = delete;
    ProgramSandbox& operator=(const ProgramSandbox&) = delete;

    // In the child, for good. False: the kernel has no seccomp.
    bool enter() const;

private:
    struct Filtered;
    std::unique_ptr<Filtered> m_filtered;
};

} // namespace trainyard
