// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/report/report.h"
#include "engine/store/run_query.h"

namespace trainyard::report {

// A sweep: the best trial and its parameters, the best score over time, the score over each axis, how much each axis
// decides (PED-ANOVA), the curves of the best trials, all trials in their order, and the sweep file. The errors are
// those of the store.
Result<Report> reportOf(store::RunQuery& query, const store::SweepRow& sweep);

} // namespace trainyard::report
