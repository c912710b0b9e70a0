// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>

namespace trainyard::sweep {

// Owns one sweep from its first trial to its last: `trainyardctl supervise-sweep FOLDER`. Every trial is a run,
// supervised in a slot (slots.h). Existing trials are counted, adopted if they run, or resumed. SIGTERM and SIGINT
// stop and save the running trials and start no more. Returns the exit code of the terminal contract. Blocks for the
// whole sweep.
int superviseSweep(const std::filesystem::path& folder);

} // namespace trainyard::sweep
