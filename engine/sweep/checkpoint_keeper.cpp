// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/checkpoint_keeper.h"

#include "engine/run/actions/drop_checkpoints.h"

namespace trainyard::sweep {

std::vector<const store::RunRow*> CheckpointKeeper::spare(const spec::KeepRule& rule,
                                                          const std::vector<store::RunRow>& ranked,
                                                          const std::function<bool(int trial)>& isOver) {
    std::vector<const store::RunRow*> rows;
    for (std::size_t place = static_cast<std::size_t>(rule.best); place < ranked.size(); ++place) {
        const auto& row = ranked[place];
        if (isOver(row.trial) && !wire::isActive(row.status) && row.trainSeconds < rule.minSeconds)
            rows.push_back(&row);
    }
    return rows;
}

Result<bool> CheckpointKeeper::prune(const spec::KeepRule& rule, const std::vector<store::RunRow>& ranked,
                                     const std::function<bool(int trial)>& isOver) {
    bool complete = true;
    for (const auto* row : spare(rule, ranked, isOver)) {
        if (m_pruned.contains(row->id)) continue;
        TY_ASSIGN(const bool done, run::dropCheckpoints(m_workspace, *row));
        if (done) m_pruned.insert(row->id);
        complete = complete && done;
    }
    return complete;
}

} // namespace trainyard::sweep
