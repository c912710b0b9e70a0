// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/torch/base/compat.h"

namespace trainyard::train {

// Gloo takes whoever connects for the rank that it waits for. This sends over each connection of a new group what only
// that rank can send, and compares what comes with what the store says, which strangers do not reach. Collective, and
// before anything else goes through the group. Run: something else is in a rank's place. Throws when nothing comes in
// time.
Result<void> proveRanks(const compat::GroupPtr& group, const compat::StorePtr& store, int rank, int worldSize);

} // namespace trainyard::train
