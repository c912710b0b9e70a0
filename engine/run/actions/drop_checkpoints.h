// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <string>

namespace trainyard::run {

// Removes all checkpoints of a run that nobody supervises, unless one of them is pinned; its curves stay, and when it
// is resumed it trains from the beginning. False: it is supervised just now. May be repeated after a crash.
// Environment: the store cannot be written.
Result<bool> dropCheckpoints(const store::Workspace& workspace, const store::RunRow& run);

} // namespace trainyard::run
