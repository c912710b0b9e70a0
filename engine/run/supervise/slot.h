// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/supervise/supervisor.h"

#include <functional>

namespace trainyard::run {

// Supervises the trials of a sweep one after another, as its supervisor hands them over: `trainyardctl supervise-slot
// FOLDER`, FOLDER being the sweep's. A trial is reported as over once its end is in the store and this process holds
// nothing of it. If the sweep's supervisor is gone, the trial still runs to its end. From then on `sweepLost` is called
// twice a second by another thread, and once more before this process ends of it; the sweep may be over, too. Returns
// the exit code of the terminal contract: 0 when nothing follows, or when asked to end (SIGTERM, SIGINT) between two
// trials; during a trial these stop and save it.
int superviseSlot(const LauncherFor& launcherFor, const std::function<void()>& sweepLost);

} // namespace trainyard::run
