// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/keep_best.h"

#include "engine/run/actions/drop_checkpoints.h"

#include <algorithm>
#include <cstddef>

namespace trainyard::sweep {
namespace {

constexpr std::ptrdiff_t kTogether = 50; // in one transaction; each has a file open

} // namespace

Result<bool> keepBest(const spec::KeepRule& rule, const std::vector<TrialEntry*>& ranked, store::KeptStore& store,
                      const std::function<bool(const TrialEntry&)>& isOver) {
    std::vector<TrialEntry*> spare;
    for (auto place = static_cast<std::size_t>(rule.best); place < ranked.size(); ++place) {
        TrialEntry* const trial = ranked[place];
        if (!trial->pruned && isOver(*trial) && !wire::isActive(trial->status) && trial->trainSeconds < rule.minSeconds)
            spare.push_back(trial);
    }
    bool complete = true;
    for (auto from = spare.begin(); from != spare.end();) {
        const auto to = from + std::min(spare.end() - from, kTogether);
        std::vector<run::RunPlace> runs;
        for (auto trial = from; trial != to; ++trial) runs.push_back({(*trial)->id, (*trial)->folder});
        TY_ASSIGN(const auto supervised, run::dropCheckpoints(store, runs));
        for (; from != to; ++from) (*from)->pruned = !supervised.contains((*from)->id);
        complete = complete && supervised.empty();
    }
    return complete;
}

} // namespace trainyard::sweep
