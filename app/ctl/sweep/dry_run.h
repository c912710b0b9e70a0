// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"

namespace trainyard::ctl {

// Says what the sweep of this file would train, and starts nothing: `sweep FILE --dry-run`. Every trial that is known
// beforehand is judged. Returns the exit code.
int dryRunSweep(const Session& session, const std::string& text, const std::string& file);

} // namespace trainyard::ctl
