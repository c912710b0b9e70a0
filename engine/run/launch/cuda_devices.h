// SPDX-License-Identifier: GPL-3.0-or-later
// Limits the CUDA devices of this computer that a process sees, by the environment variable that the driver reads when
// the process first asks for a device.
#pragma once

#include <string>
#include <vector>

namespace trainyard::run {

inline constexpr const char* kVisibleDevices = "CUDA_VISIBLE_DEVICES";

// Numbers of devices as this process sees them, ascending; empty: all of them.
using CudaDevices = std::vector<int>;

// How many of `found` devices the variable's value leaves; null: it is not set.
int visibleOf(int found, const char* value);
// Rule: how a rank sees only the devices that were dealt to its run.
// The variable's value for a process that shall see only `devices`. `value`: this process's own, which renames
// devices; null: it is not set. Empty if a device is not among the visible ones.
std::string valueFor(const CudaDevices& devices, const char* value);
// The ranks of a run on one host, and the devices of that host.
struct RanksOnDevices {
    int ranks = 1, devices = 0;
};
// Rule: which devices a trial has on another host.
// For a run at `place` (from 0) among the runs that share a host: consecutive places get different devices, then the
// first ones again. All devices if they are too few or without a place.
CudaDevices devicesOfPlace(int place, RanksOnDevices host);
// Rule: which devices a run has on a spare.
// For a run that was dealt devices of the host which the spare replaces: the same numbers, so that runs which move here
// together do not collide. Those of the first place if the spare lacks these numbers.
CudaDevices devicesOfSpare(const CudaDevices& dealt, RanksOnDevices spare);
// "cuda:0" of such a process, as this process names it; any other text unchanged.
std::string nameHere(const std::string& device, const CudaDevices& devices);

} // namespace trainyard::run
