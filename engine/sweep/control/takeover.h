// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep whose supervisor dies goes on by itself: the first of its slots to notice starts another supervisor, a few
// times an hour. A file in the sweep's folder says that the sweep is meant to go on, and holds when that was done. It
// is not in the store, where everybody who finds no supervisor marks the sweep as interrupted.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace trainyard::sweep {

// Whether there may be one more, with at most `most` in an hour. Times are ms since the epoch.
bool mayTakeOver(const std::vector<std::int64_t>& earlierMs, std::int64_t nowMs, int most);

// Of the supervisor: from now on its slots replace it if it dies. What was done before still counts. Environment.
Result<void> allowTakeover(const std::filesystem::path& folder);
// The sweep is over, or to stop.
void forbidTakeover(const std::filesystem::path& folder);

// Of a slot: starts another supervisor in place of one that has died; of several slots that do it at once, one does.
// False: there is one, the sweep is not meant to go on, or the hour's are used up (TRAINYARD_SWEEP_RESTARTS, 3 unless
// set). May wait for some tenths of a second until the kernel has taken the lock from the dead one. Environment when it
// cannot be started.
Result<bool> takeOver(const std::filesystem::path& folder);

} // namespace trainyard::sweep
