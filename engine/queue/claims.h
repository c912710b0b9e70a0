// SPDX-License-Identifier: GPL-3.0-or-later
// What a run or a sweep claims of the computers that it trains on.
#pragma once

#include "engine/queue/queue_policy.h"
#include "engine/spec/sweep_spec.h"

namespace trainyard::queue {

// What this computer has for runs.
struct Room {
    int cores = 1;
    int devices = 0; // CUDA devices
};
// Asks the worker's catalog, which may take 0.4 s the first time; without a worker there are no devices.
Room roomHere();

// Cores: those of its threads here, or one for each rank on a CUDA device. Devices: the first ones, one for each rank
// here.
Claim claimOf(const spec::RunSpec& spec, const Room& room);
// A sweep claims what its trials side by side do, and with slots by the number of cores all of them; one over several
// hosts all of these.
Claim claimOf(const spec::SweepSpec& spec, const Room& room);

} // namespace trainyard::queue
