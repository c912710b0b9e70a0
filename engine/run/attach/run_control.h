// SPDX-License-Identifier: GPL-3.0-or-later
// What any process asks of a run that its supervisor owns.
#pragma once

#include "engine/store/store.h"
#include "engine/wire/messages.h"

#include <string>

namespace trainyard::run {

// Asks the supervisor; returns when it has the request. With Kill, ends the processes itself when no answer comes.
Result<void> stopRun(const store::Workspace& workspace, const std::string& run, wire::StopMode mode);
// Has a run pause, go on, save a checkpoint or change its learning rate (`value`), and returns when every rank has done
// it, with the step after which. Input: the run is not active, the rate is none that its run file could have, a run
// that is not paused cannot go on. Run: the checkpoint could not be written. Environment: no answer in `seconds`.
Result<wire::CommandDone> commandRun(const store::Workspace& workspace, const std::string& run, wire::CommandKind kind,
                                     double value = 0, double seconds = 60);

} // namespace trainyard::run
