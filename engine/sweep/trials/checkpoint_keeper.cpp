// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/checkpoint_keeper.h"

#include "engine/run/actions/drop_checkpoints.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace trainyard::sweep {
namespace {

constexpr std::ptrdiff_t kTogether = 50; // in one transaction; each has a file open

} // namespace

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
    std::vector<const TrialRow*> left;
    std::copy_if(spare.begin(), spare.end(), std::back_inserter(left),
                 [this](const TrialRow* row) { return !m_pruned.contains(row->trial); });
    bool complete = true;
    for (auto from = left.begin(); from != left.end();) {
        const auto to = from + std::min(left.end() - from, kTogether);
        std::vector<run::RunPlace> runs;
        for (auto row = from; row != to; ++row) runs.push_back({(*row)->id, (*row)->folder});
        TY_ASSIGN(const auto supervised, run::dropCheckpoints(store, runs));
        for (; from != to; ++from)
            if (!supervised.contains((*from)->id)) m_pruned.insert((*from)->trial);
        complete = complete && supervised.empty();
    }
    return complete;
}

} // namespace trainyard::sweep
