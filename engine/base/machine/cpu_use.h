// SPDX-License-Identifier: GPL-3.0-or-later
// How much of this computer's CPU time our own processes use, and how much other programs do (Linux, /proc).
#pragma once

#include <cstdint>
#include <vector>

namespace trainyard {

// Processor time since the computer started, in seconds over all cores, at one moment.
struct CpuUse {
    double at = 0;   // monotonicSeconds()
    double busy = 0; // of all processes, and what a hypervisor took
    double own = 0;  // of the given ones, with all their threads
};

// Zeros where /proc does not tell. A process that is gone counts nothing: take both looks while it lives.
CpuUse cpuUse(const std::vector<std::int64_t>& ownProcesses);

// The share of `cores` that something else used between two looks, 0 to 1.
double othersShare(const CpuUse& before, const CpuUse& after, int cores);

} // namespace trainyard
