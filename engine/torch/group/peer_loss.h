// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>

namespace trainyard::train {

// True when what a collective, a rendezvous or a wait has thrown means that another rank is gone, out of reach or did
// not come in time: a PeerLost, or an exception of Gloo, NCCL or c10d's store, which are known by their texts alone.
bool isPeerLoss(const std::exception& thrown);

} // namespace trainyard::train
