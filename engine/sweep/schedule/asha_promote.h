// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/sweep/schedule/scheduler.h"

#include <memory>

namespace trainyard::sweep {

// ASHA as its paper has it: every trial pauses at every rung, and a free slot goes to the best one that pauses in the
// best 1/factor of a rung, the highest rung first, else to a new trial. `paired`: trials are compared by two series.
Result<std::unique_ptr<Scheduler>> makeAshaPromote(std::vector<double> rungs, double factor, bool paired);

} // namespace trainyard::sweep
