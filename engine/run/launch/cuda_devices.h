// SPDX-License-Identifier: GPL-3.0-or-later
// Which CUDA devices of this computer a process is to see: by a variable of its environment, which the driver reads
// when the process first asks for a device.
#pragma once

#include <string>
#include <vector>

namespace trainyard::run {

inline constexpr const char* kVisibleDevices = "CUDA_VISIBLE_DEVICES";

// By the numbers that this process gives them, rising; empty: all of them.
using CudaDevices = std::vector<int>;

// How many of `found` devices are left by the variable's value; null: it is not set.
int visibleOf(int found, const char* value);
// Rule: how a rank sees only the devices that were dealt to its run.
// The variable's value for a process that is to see only these. `value`: what this process has, which gives the numbers
// other names; null: it is not set. Empty when a device is not among them.
std::string valueFor(const CudaDevices& devices, const char* value);
// Rule: which devices a trial has on another host.
// Those of a run of so many ranks that has this place, from 0, among the runs that share a host with so many devices:
// places one after another have their own, and then again the first. All where there are too few, and without a place.
CudaDevices devicesOfPlace(int place, int ranks, int devices);
// Rule: which devices a run has on a spare.
// Those of so many ranks whose run was dealt devices of another host, in whose place this one is: the same numbers, so
// that runs which move here together do not meet. Where it has no such, those of the first place.
CudaDevices devicesOfSpare(const CudaDevices& dealt, int ranks, int devices);
// "cuda:0" of such a process, as this one names it; every other text as it is.
std::string nameHere(const std::string& device, const CudaDevices& devices);

} // namespace trainyard::run
