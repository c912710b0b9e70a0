// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"

namespace trainyard::sweep {

// What a sweep's supervisor keeps of the row of a trial's run. There may be 10^5, so what it needs now and then is left
// in the store.
struct TrialRow {
    int trial = -1;
    wire::RunStatus status = wire::RunStatus::Queued;
    std::string id, folder;
    std::int64_t step = 0, finishedMs = 0;
    double epoch = 0, trainSeconds = 0;
    ErrorKind errorKind = ErrorKind::Run;
    ErrorCode errorCode = ErrorCode::General;

    static TrialRow of(const store::RunRow& row);
};

// The rows of a sweep's trials, by trial number. They are read once, and then only those that have changed.
class TrialRows {
public:
    explicit TrialRows(std::string sweep) : m_sweep(std::move(sweep)) {}

    // What has changed since the last call; the numbers of these trials. Numbers from `trials` on are none of the
    // sweep's.
    Result<std::vector<int>> read(store::RunQuery& query, std::size_t trials);
    const std::vector<TrialRow>& all() const { return m_rows; }
    TrialRow* find(int trial);                             // null: it has none
    double trainSeconds() const { return m_trainSeconds; } // of all trials, as is the next one
    double epochs() const { return m_epochs; }

private:
    void take(TrialRow row);
    std::vector<TrialRow>::iterator placeOf(int trial); // where it is, or belongs

    std::string m_sweep;
    std::vector<TrialRow> m_rows;
    double m_trainSeconds = 0, m_epochs = 0;
    std::int64_t m_last = -1; // the newest change that was read; -1: none
};

} // namespace trainyard::sweep
