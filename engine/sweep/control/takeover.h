// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep survives the death of its supervisor: the first slot to notice starts another one, a few times an hour. A
// file in the sweep's folder says that the sweep shall go on, and holds the times of earlier takeovers. It is not in
// the store, where any process that finds no supervisor marks the sweep as interrupted.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace trainyard::sweep {

// Whether one more takeover is allowed, with at most `most` in an hour. Times are ms since the epoch.
bool mayTakeOver(const std::vector<std::int64_t>& earlierMs, std::int64_t nowMs, int most);

// For the supervisor: from now on its slots replace it if it dies. Earlier takeovers still count. Environment: the
// file cannot be written.
Result<void> allowTakeover(const std::filesystem::path& folder);
// After the sweep has ended, or when it is told to stop.
void forbidTakeover(const std::filesystem::path& folder);

// For a slot: starts another supervisor in place of a dead one; if several slots try at once, one succeeds. False:
// there is one, the sweep shall not go on, or the limit of an hour is used up (TRAINYARD_SWEEP_RESTARTS, 3 unless
// set). May wait some tenths of a second until the kernel releases the dead one's lock. Environment: it cannot be
// started.
Result<bool> takeOver(const std::filesystem::path& folder);

} // namespace trainyard::sweep
