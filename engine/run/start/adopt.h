// SPDX-License-Identifier: GPL-3.0-or-later
// Adopting: a run continues, under its own id, from another run's checkpoint and with other settings.
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/store/store.h"

namespace trainyard::run {

// Prepares a run without a supervisor to do so when it is resumed: gives it its own copy of the checkpoint, the run
// file and the trial's parameters, and drops its points and checkpoints from after the checkpoint's step. May be
// repeated after a crash at any point, with the same or another checkpoint. Input: the run file is wrong, or the
// checkpoint's file cannot be used. AlreadyRunning: the run has a supervisor. Environment: a full disk.
Result<void> adoptState(const store::Workspace& workspace, const std::string& run, const store::CheckpointRow& from,
                        spec::RunSpec spec, const spec::Params& params);

} // namespace trainyard::run
