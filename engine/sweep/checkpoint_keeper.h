// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/sweep_rules.h"
#include "engine/store/store.h"

#include <functional>
#include <set>

namespace trainyard::sweep {

// Removes the checkpoints of trials that are over, were short and are not among the best, as the sweep file wants it.
class CheckpointKeeper {
public:
    explicit CheckpointKeeper(store::Workspace workspace) : m_workspace(std::move(workspace)) {}

    // Those of `ranked`, the runs of all trials with the best first, that need not keep theirs.
    static std::vector<const store::RunRow*> spare(const spec::KeepRule& rule, const std::vector<store::RunRow>& ranked,
                                                   const std::function<bool(int trial)>& isOver);
    // Removes them, each once. False: some have to be tried again.
    Result<bool> prune(const spec::KeepRule& rule, const std::vector<store::RunRow>& ranked,
                       const std::function<bool(int trial)>& isOver);

private:
    store::Workspace m_workspace;
    std::set<std::string> m_pruned; // runs
};

} // namespace trainyard::sweep
