// SPDX-License-Identifier: GPL-3.0-or-later
// What a run or a sweep claims of the computers that it trains on.
#pragma once

#include "engine/queue/queue_policy.h"
#include "engine/run/launch/room.h"
#include "engine/spec/sweep_spec.h"

namespace trainyard::queue {

// Cores: those of its threads here, or one for each rank on a CUDA device. Devices: the first ones, one for each rank
// here.
Claim claimOf(const spec::RunSpec& spec, const run::Room& room);
// A sweep claims what its trials side by side do, and with slots by the number of cores all of them; one over several
// hosts all of these, and one on several devices each that a slot has.
Claim claimOf(const spec::SweepSpec& spec, const run::Room& room);

} // namespace trainyard::queue
