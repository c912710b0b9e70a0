// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"
#include "engine/store/run_query.h"

namespace trainyard::ctl {

// Whether a program of this workspace's run has saved it on another host.
bool isSavedOnHost(const store::CheckpointRow& row);
// Copies checkpoints that a program has saved on hosts into the run's folder, and prints where they are. Environment: a
// host cannot be reached, or has lost one.
Result<int> fetchSaved(const Session& session, const store::RunRow& run, const std::vector<store::CheckpointRow>& rows);

} // namespace trainyard::ctl
