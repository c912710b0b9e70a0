// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/trials/trial_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::sweep {

TrialRow TrialRow::of(const store::RunRow& row) {
    return {row.trial,      row.status, row.id,           row.folder,     row.step,
            row.finishedMs, row.epoch,  row.trainSeconds, row.error.kind, row.error.code};
}

Result<std::vector<int>> TrialRows::read(store::RunQuery& query, std::size_t trials) {
    const bool first = m_last < 0;
    std::vector<int> changed;
    const auto takeOurs = [&](const store::RunRow& row) {
        if (row.sweep != m_sweep || row.trial < 0 || static_cast<std::size_t>(row.trial) >= trials) return;
        take(TrialRow::of(row));
        changed.push_back(row.trial);
    };
    TY_ASSIGN(const auto changes, query.changesAfter(first ? std::numeric_limits<std::int64_t>::max() : m_last));
    if (first) TY_TRY(query.eachTrial(m_sweep, takeOurs));
    for (const auto& row : changes.runs) takeOurs(row);
    m_last = changes.last;
    return changed;
}

TrialRow* TrialRows::find(int trial) {
    const auto at = placeOf(trial);
    return at != m_rows.end() && at->trial == trial ? &*at : nullptr;
}

std::vector<TrialRow>::iterator TrialRows::placeOf(int trial) {
    return std::lower_bound(m_rows.begin(), m_rows.end(), trial,
                            [](const TrialRow& each, int number) { return each.trial < number; });
}

void TrialRows::take(TrialRow row) {
    const auto finite = [](double value) { return std::isfinite(value) ? value : 0; };
    m_trainSeconds += finite(row.trainSeconds);
    m_epochs += finite(row.epoch);
    if (TrialRow* const before = find(row.trial)) {
        m_trainSeconds -= finite(before->trainSeconds);
        m_epochs -= finite(before->epoch);
        *before = std::move(row);
    } else m_rows.insert(placeOf(row.trial), std::move(row));
}

} // namespace trainyard::sweep
