// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/workspace.h"

#include <string>
#include <vector>

namespace trainyard::store {

// A series and the name that it gets.
struct RenamedSeries {
    std::string from, to;
    bool operator==(const RenamedSeries&) const = default;
};

// Gives series of a run other names, in one transaction of its own. What stood under a new name goes; one that is not
// there is passed over, so that a call may be repeated. Waits for other writers for `busyTimeoutMs`. Environment: it
// cannot be written.
Result<void> renameSeries(const Workspace& workspace, const std::string& run, const std::vector<RenamedSeries>& series,
                          int busyTimeoutMs);

} // namespace trainyard::store
