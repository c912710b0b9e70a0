// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/sweep/schedule/scheduler.h"

#include <memory>

namespace trainyard::sweep {

// ASHA as in its paper: every trial pauses at every rung. A free slot goes to the best paused trial among the best
// 1/factor of a rung, the highest rung first, else to a new trial. `paired`: two series rank the trials.
Result<std::unique_ptr<Scheduler>> makeAshaPromote(std::vector<double> rungs, double factor, bool paired);

} // namespace trainyard::sweep
