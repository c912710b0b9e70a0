// SPDX-License-Identifier: GPL-3.0-or-later
// Requests to a run from any process; its supervisor carries them out.
#pragma once

#include "engine/store/store.h"
#include "engine/wire/messages.h"

#include <string>

namespace trainyard::run {

// Asks the supervisor, and returns once it has the request. With Kill, ends the processes itself if no answer comes.
Result<void> stopRun(const store::Workspace& workspace, const std::string& run, wire::StopMode mode);
// Pauses a run, continues it, saves a checkpoint or changes the learning rate (to `value`). Returns when every rank
// has done it, with the step after which. Input: the run is not active, its run file could not have that rate, or it
// is not paused. Run: the checkpoint could not be written. Environment: no answer in `seconds`.
Result<wire::CommandDone> commandRun(const store::Workspace& workspace, const std::string& run, wire::CommandKind kind,
                                     double value = 0, double seconds = 60);

} // namespace trainyard::run
