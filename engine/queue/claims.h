// SPDX-License-Identifier: GPL-3.0-or-later
// What a run or a sweep claims of the computers that it trains on.
#pragma once

#include "engine/queue/queue_policy.h"
#include "engine/spec/sweep/sweep_spec.h"

namespace trainyard::queue {

// Rule: what a run or sweep claims of each computer.
// The cores of its threads there; for ranks on devices, one core and one CUDA device each. A host that is not in
// `rooms` is claimed whole.
Claim claimOf(const spec::RunSpec& spec, const run::HostRooms& rooms);
// A sweep claims what its trials side by side do, and with slots by the number of cores all of them; on devices of this
// computer each that a slot has; and all of each other host.
Claim claimOf(const spec::SweepSpec& spec, const run::HostRooms& rooms);
// Rule: what an active run keeps busy of its claim.
// The devices that were dealt to it, else the first ones of each computer.
Claim heldBy(Claim claim, const Devices& dealt);

// This computer with what `here` says, and the others that are known.
run::HostRooms roomsWith(const run::Room& here);

} // namespace trainyard::queue
