// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <string>
#include <vector>

namespace trainyard::run {

// The environment that the parent of this process was started with, as "NAME=value"; this process's own where it cannot
// be read.
std::vector<std::string> environmentOfParent();

// Starts another supervisor for a run in the environment of the one before: a rank's own would tell it of other devices
// and threads. It is no descendant of this process, which adopts orphans and ends what is left below it. Hands over the
// lock. Environment: it cannot be started.
Result<pid_t> startNextSupervisor(const std::filesystem::path& runFolder, const store::RunLock& lock,
                                  const std::vector<std::string>& environment);

} // namespace trainyard::run
