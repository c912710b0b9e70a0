// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"

namespace trainyard::sweep {

// The rows of a sweep's trials, by trial number. They are read once, and then only those that have changed.
class TrialRows {
public:
    explicit TrialRows(std::string sweep) : m_sweep(std::move(sweep)) {}

    // What has changed since the last call. Trials with a number from `trials` on are none of the sweep's.
    Result<void> read(store::RunQuery& query, std::size_t trials);
    std::vector<store::RunRow>& all() { return m_rows; }

private:
    void take(store::RunRow row);

    std::string m_sweep;
    std::vector<store::RunRow> m_rows;
    std::int64_t m_last = -1; // the newest change that was read; -1: none
};

} // namespace trainyard::sweep
