// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/report.h"
#include "engine/store/run_query.h"

namespace trainyard::report {

// A run: its result, curves (with several workers, those of rank 0's record), evaluation, settings beside their
// defaults, workers, versions, events, digests (SHA-256) of the run file and of the checkpoints as their files are now,
// and how to repeat it. The errors are those of the store.
Result<Report> reportOf(store::RunQuery& query, const store::RunRow& run);

// Runs side by side: their curves in one chart for each series, what differs (run::compareRuns) with the distance to
// the first one, and where each is. Runs that differ by their seed alone stand together, with mean ± std. Stopped where
// `progress` says so.
Result<Report> reportOf(store::RunQuery& query, const std::vector<store::RunRow>& runs, const Progress& progress = {});

} // namespace trainyard::report
