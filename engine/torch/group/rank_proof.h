// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/math/rank_of.h"
#include "engine/base/result.h"
#include "engine/torch/base/compat.h"

namespace trainyard::train {

// Gloo accepts any peer that connects as the rank it waits for. This authenticates each connection of a new group: it
// sends a value that only this rank can know, and compares what it receives with the store, which strangers cannot
// reach. Collective, and called before anything else uses the group. Run: a peer is not the rank it stands for. Throws
// on timeout.
Result<void> proveRanks(const compat::GroupPtr& group, const compat::StorePtr& store, RankOf own);

} // namespace trainyard::train
