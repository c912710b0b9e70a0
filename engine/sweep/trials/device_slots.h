// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA devices of this computer that the slots of a sweep have. A slot keeps its devices for life, so that the
// ranks that stay in it keep theirs.
#pragma once

#include "engine/run/launch/cuda_devices.h"

#include <vector>

namespace trainyard::sweep {

// The largest number of `slots` that share one of these devices.
int slotsOn(const run::CudaDevices& devices, const std::vector<run::CudaDevices>& slots);
// Rule: which devices a slot of a sweep has.
// For a new slot whose trials need `ranks` devices: those of `devices` that the fewest slots have, the first ones of
// equals. None if there are too few.
run::CudaDevices dealDevices(const std::vector<run::CudaDevices>& slots, int devices, int ranks);

} // namespace trainyard::sweep
