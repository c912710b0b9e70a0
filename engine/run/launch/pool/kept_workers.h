// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/launch/launcher.h"

namespace trainyard::run {

// Wraps a launcher: keeps workers that are put back and hands them out again, which saves the next run the process and
// its warm-up. A kept worker gets new channels, so nothing of the earlier run reaches the next one. A request with
// another host, arguments, environment or lasting settings ends the kept workers and is launched.
std::unique_ptr<Launcher> makeKeptWorkers(std::unique_ptr<Launcher> launcher);

} // namespace trainyard::run
