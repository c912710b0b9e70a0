// SPDX-License-Identifier: GPL-3.0-or-later
// Which CUDA devices of this computer the slots of a sweep have. Values: a slot keeps its own for as long as it lives,
// so that the ranks that stay in it do.
#pragma once

#include "engine/run/launch/cuda_devices.h"

#include <vector>

namespace trainyard::sweep {

// How many of `slots` have the one of these devices that most of them have.
int slotsOn(const run::CudaDevices& devices, const std::vector<run::CudaDevices>& slots);
// Rule: which devices a slot of a sweep has.
// For one slot more, whose trials have so many ranks on a device of their own: of `devices`, those that the fewest of
// `slots` have, the first of equals. None where they are too few, and where there are no devices.
run::CudaDevices dealDevices(const std::vector<run::CudaDevices>& slots, int devices, int ranks);

} // namespace trainyard::sweep
