// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ctl/session.h"

namespace trainyard::ctl {

// The text of a run or sweep file with each "path=value" applied; to the base run of a sweep file, unless the path is
// one of the sweep's own fields.
Result<std::string> readWithOverrides(const std::string& file, const std::vector<std::string>& overrides);

// Starts the sweep of this text; `file` is for messages, and its folder for a "runFile" entry.
int runSweepText(const Session& session, const std::string& text, const std::string& file, bool detach);

// RUN[@CHECKPOINT]: "best" (the default where there is one), "last", or a step.
Result<store::CheckpointRow> findCheckpoint(const Session& session, const std::string& runAtCheckpoint);

} // namespace trainyard::ctl
