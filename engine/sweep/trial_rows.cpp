// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trial_rows.h"

#include <algorithm>
#include <limits>

namespace trainyard::sweep {

TrialRow TrialRow::of(const store::RunRow& row) {
    const auto failure = row.failure();
    return {row.trial,      row.status, row.id,           row.folder,   row.step,
            row.finishedMs, row.epoch,  row.trainSeconds, failure.kind, failure.code};
}

Result<void> TrialRows::read(store::RunQuery& query, std::size_t trials) {
    const bool first = m_last < 0;
    const auto takeOurs = [&](const store::RunRow& row) {
        if (row.sweep == m_sweep && row.trial >= 0 && static_cast<std::size_t>(row.trial) < trials)
            take(TrialRow::of(row));
    };
    TY_ASSIGN(const auto changes, query.changesAfter(first ? std::numeric_limits<std::int64_t>::max() : m_last));
    if (first) TY_TRY(query.eachTrial(m_sweep, takeOurs));
    for (const auto& row : changes.runs) takeOurs(row);
    m_last = changes.last;
    return {};
}

void TrialRows::take(TrialRow row) {
    const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), row.trial,
                                     [](const TrialRow& each, int trial) { return each.trial < trial; });
    if (at != m_rows.end() && at->trial == row.trial) *at = std::move(row);
    else m_rows.insert(at, std::move(row));
}

} // namespace trainyard::sweep
