// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trial_rows.h"

#include <algorithm>
#include <limits>

namespace trainyard::sweep {

Result<void> TrialRows::read(store::RunQuery& query, std::size_t trials) {
    const bool first = m_last < 0;
    TY_ASSIGN(auto changes, query.changesAfter(first ? std::numeric_limits<std::int64_t>::max() : m_last));
    if (first) { TY_ASSIGN(changes.runs, query.trials(m_sweep)); }
    for (auto& row : changes.runs)
        if (row.sweep == m_sweep && row.trial >= 0 && static_cast<std::size_t>(row.trial) < trials)
            take(std::move(row));
    m_last = changes.last;
    return {};
}

void TrialRows::take(store::RunRow row) {
    const auto at = std::lower_bound(m_rows.begin(), m_rows.end(), row.trial,
                                     [](const store::RunRow& each, int trial) { return each.trial < trial; });
    if (at != m_rows.end() && at->trial == row.trial) *at = std::move(row);
    else m_rows.insert(at, std::move(row));
}

} // namespace trainyard::sweep
