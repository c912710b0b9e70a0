// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep/sweep_rules.h"
#include "engine/store/kept_store.h"
#include "engine/sweep/trials/trial_rows.h"

#include <functional>
#include <set>

namespace trainyard::sweep {

// Removes the checkpoints of trials that are over, were short and are not among the best, as the sweep file wants it.
class CheckpointKeeper {
public:
    // Of `ranked`, all trials with the best first, those that need not keep theirs.
    static std::vector<const TrialRow*> spare(const spec::KeepRule& rule, const std::vector<const TrialRow*>& ranked,
                                              const std::function<bool(int trial)>& isOver);
    // Removes them, each once. False: some have to be tried again.
    Result<bool> prune(store::KeptStore& store, const std::vector<const TrialRow*>& spare);

private:
    std::set<int> m_pruned; // trials
};

} // namespace trainyard::sweep
