// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json_text.h"
#include "engine/run/start/probe_run.h"
#include "engine/store/store.h"

namespace trainyard::ctl {

// What `trainyardctl estimate` found for a run file, kept in the workspace's folder `estimates` under the file's
// content (its name aside), so that a run of the same file can be compared with it.
Json estimateJson(const run::BriefTimes& times, std::int64_t calculatedBytes);
Result<void> keepEstimate(const store::Workspace& workspace, const spec::RunSpec& validated, const Json& estimate);

// Of a run with an estimate: each estimated number beside what happened so far, {"memory_bytes": {"estimated": ...,
// "happened": ...}, ...}; null for a run without one.
Json comparedEstimate(const store::RunRow& row, const std::vector<wire::WorkerState>& workers);

} // namespace trainyard::ctl
