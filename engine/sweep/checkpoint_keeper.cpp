// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/checkpoint_keeper.h"

#include "engine/run/actions/drop_checkpoints.h"

namespace trainyard::sweep {

std::vector<const TrialRow*> CheckpointKeeper::spare(const spec::KeepRule& rule,
                                                     const std::vector<const TrialRow*>& ranked,
                                                     const std::function<bool(int trial)>& isOver) {
    std::vector<const TrialRow*> rows;
    for (std::size_t place = static_cast<std::size_t>(rule.best); place < ranked.size(); ++place) {
        const TrialRow* const row = ranked[place];
        if (isOver(row->trial) && !wire::isActive(row->status) && row->trainSeconds < rule.minSeconds)
            rows.push_back(row);
    }
    return rows;
}

Result<bool> CheckpointKeeper::prune(store::KeptStore& store, const std::vector<const TrialRow*>& spare) {
    bool complete = true;
    for (const TrialRow* const row : spare) {
        if (m_pruned.contains(row->trial)) continue;
        TY_ASSIGN(const bool done, run::dropCheckpoints(store, row->id, row->folder));
        if (done) m_pruned.insert(row->trial);
        complete = complete && done;
    }
    return complete;
}

} // namespace trainyard::sweep
