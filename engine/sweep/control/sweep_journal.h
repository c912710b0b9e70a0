// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/run_score.h"
#include "engine/store/kept_store.h"
#include "engine/sweep/judge/judge.h"

#include <functional>
#include <optional>

namespace trainyard::sweep {

// What kind of event a row of the record is; nothing for a word that this program does not know.
std::optional<Event::Kind> kindOf(const store::TrialEventRow& row);

// A sweep's judge with its record in the store. Each decision is recorded before it is acted on; opening the journal of
// a sweep whose supervisor has died restores the judge as that supervisor had it.
class SweepJournal {
public:
    using RunOf = std::function<std::string(int trial)>; // the id of its run; empty: it has none

    static Result<SweepJournal> open(store::RunQuery& query, const std::string& sweep, const spec::SweepSpec& spec);

    const Judge& judge() const { return m_judge; }
    const RunLength& length() const { return m_length; }
    // Tells the judge; the trials that it has ordered something for, which judge().trials() shows.
    std::vector<int> take(const Event& event);
    // Tells the judge what a person asks for, unless it cannot be; the answer (answerText) is recorded with it.
    void take(const store::SweepRequestRow& request);
    // Takes what is asked of the sweep and is not answered yet, and records it; whether there was any.
    Result<bool> takeRequests(store::KeptStore& store, const RunOf& runOf);
    // Writes what is not recorded yet; nothing may be done about it before that. Environment: it cannot be written now,
    // and may be tried again.
    Result<void> record(store::KeptStore& store, const RunOf& runOf);
    // The same, and `also` writes what follows from it in the same transaction.
    Result<void> record(store::KeptStore& store, const RunOf& runOf,
                        const std::function<Result<void>(store::Store&)>& also);

private:
    SweepJournal(std::string sweep, const spec::SweepSpec& spec, Judge judge, RunLength length);
    void note(const Order& order);
    std::vector<store::TrialNotice> notices(const RunOf& runOf) const;

    std::string m_sweep;
    spec::SweepSpec m_spec;
    RunLength m_length;
    Judge m_judge;
    std::int64_t m_recorded = 0; // events
    store::TrialRecord m_pending;
};

} // namespace trainyard::sweep
