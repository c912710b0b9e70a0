// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/sweep_rules.h"
#include "engine/store/kept_store.h"
#include "engine/sweep/trials/trial_entry.h"

#include <functional>

namespace trainyard::sweep {

// Removes, once each, the checkpoints of finished trials that were short and are not among the best, as the sweep file
// asks. `ranked`: all trials, best first. False: some must be tried again.
Result<bool> keepBest(const spec::KeepRule& rule, const std::vector<TrialEntry*>& ranked, store::KeptStore& store,
                      const std::function<bool(const TrialEntry&)>& isOver);

} // namespace trainyard::sweep
