// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/trial_log.h"

#include "engine/base/clock.h"
#include "engine/store/rows.h"
#include "engine/store/run_query.h"

#include <algorithm>
#include <array>
#include <memory>

namespace trainyard::store {
namespace {

// In the order of the enumeration.
constexpr std::array kDecisionWords = {"stopped", "paused", "resumed", "ended", "killed", "adopts", "failed"};

template <class Row>
Result<void> insertRows(sqlite3* db, const char* insert, const std::string& table, const std::string& sweep,
                        const std::vector<Row>& rows) {
    Statement statement(db, std::string(insert) + " INTO " + table + " (sweep, " + columnList<Row>() + ") VALUES (?, " +
                                placeholders<Row>() + ")");
    for (const Row& row : rows) {
        int at = 1;
        statement.bind(at, sweep);
        columns(row, [&](const char*, const auto& member, Column) { bindMember(statement, ++at, member); });
        TY_TRY(statement.run());
    }
    return {};
}

} // namespace

const char* toString(TrialDecision decision) {
    const auto index = static_cast<std::size_t>(decision);
    return index < kDecisionWords.size() ? kDecisionWords[index] : "unknown";
}

TrialDecision trialDecisionFromString(std::string_view word) {
    const auto found = std::find(kDecisionWords.begin(), kDecisionWords.end(), word);
    return static_cast<TrialDecision>(found - kDecisionWords.begin()); // past the last word: Unknown
}

Result<void> Store::appendTrialRecord(const std::string& sweep, const TrialRecord& record) {
    const auto writes = [&]() -> Result<void> {
        TY_TRY(insertRows(m_db, "INSERT", "trial_events", sweep, record.events));
        TY_TRY(insertRows(m_db, "INSERT OR REPLACE", "trial_decisions", sweep, record.decisions));
        Statement notice(m_db, "INSERT INTO log (run, rank, level, text, wall_ms) VALUES (?, -1, ?, ?, ?)");
        for (const TrialNotice& each : record.notices)
            TY_TRY(notice.with(each.run, std::string(kNoticeLevel), each.text, wallClockMs()).run());
        Statement answer(m_db, "UPDATE sweep_requests SET answer = ? WHERE id = ? AND answer = ''");
        for (const RequestAnswer& each : record.answers) TY_TRY(answer.with(each.text, each.request).run());
        return {};
    };
    if (m_together) return writes();
    return commit(writes, record.answers.empty() ? Outlives::Process : Outlives::PowerLoss);
}

Result<void> appendTrialRecord(const Workspace& workspace, const std::string& sweep, const TrialRecord& record) {
    TY_ASSIGN(const auto store, Store::open(workspace, Store::Check::Done));
    return store->appendTrialRecord(sweep, record);
}

Result<std::int64_t> addSweepRequest(const Workspace& workspace, const std::string& sweep, const SweepRequestRow& row) {
    TY_ASSIGN(sqlite3 * opened, openDatabase(workspace.database(), Opening::WriteChecked));
    const std::unique_ptr<sqlite3, void (*)(sqlite3*)> db(opened, closeDatabase);
    TY_TRY(transaction(db.get(), [&]() -> Result<void> {
        return execute(db.get(),
                       "INSERT INTO sweep_requests (sweep, trial, body, author, wall_ms) VALUES (?, ?, ?, ?, ?)", sweep,
                       row.trial, row.body, row.author, row.wallMs);
    }));
    return sqlite3_last_insert_rowid(db.get());
}

} // namespace trainyard::store
