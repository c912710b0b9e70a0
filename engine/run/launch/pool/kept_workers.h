// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/launcher.h"

namespace trainyard::run {

// A launcher over another one that keeps the workers that are put back, and hands them out again: a rank that stays
// costs the next run neither a process nor its warming up. It is woken with new channels, so that nothing of the run
// before reaches the next. A request that differs in host, arguments, environment or what lasts ends those that wait,
// and is launched.
std::unique_ptr<Launcher> makeKeptWorkers(std::unique_ptr<Launcher> launcher);

} // namespace trainyard::run
