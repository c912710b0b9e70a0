// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/record/run_score.h"
#include "engine/store/kept_store.h"
#include "engine/sweep/judge/judge.h"

#include <functional>
#include <optional>

namespace trainyard::sweep {

// The kind of event in a row of the record; nothing for an unknown word.
std::optional<Event::Kind> kindOf(const store::TrialEventRow& row);

// A sweep's judge, with its record in the store. Each decision is recorded before anybody acts on it. Opening the
// journal of a sweep whose supervisor died restores the judge to that supervisor's last state.
class SweepJournal {
public:
    using RunOf = std::function<std::string(int trial)>; // the id of its run; empty: it has none

    static Result<SweepJournal> open(store::RunQuery& query, const std::string& sweep, const spec::SweepSpec& spec);

    const Judge& judge() const { return m_judge; }
    const RunLength& length() const { return m_length; }
    // Passes the event to the judge. Returns the trials with new orders, which judge().trials() shows.
    std::vector<int> take(const Event& event);
    // Passes a person's request to the judge, unless it is impossible; records the answer (answerText) with it.
    void take(const store::SweepRequestRow& request);
    // Takes and records the unanswered requests to the sweep; whether there were any.
    Result<bool> takeRequests(store::KeptStore& store, const RunOf& runOf);
    // Writes the events that are not recorded yet; act on none of them before that. Environment: they cannot be
    // written now; try again.
    Result<void> record(store::KeptStore& store, const RunOf& runOf);
    // As above; `also` writes the consequences in the same transaction.
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
