// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/trials/trial_book.h"
#include "engine/sweep/values/event.h"

namespace trainyard::sweep {

// Turns measurements and ends of a sweep's trials into events for its judge.
class TrialReports {
public:
    TrialReports(store::Workspace workspace, const spec::SweepSpec& spec, bool epochs)
        : m_workspace(std::move(workspace)), m_scores(scoresOf(spec)), m_stop(spec.rules.stop),
          m_plan(seedPlanOf(spec)), m_epochs(epochs) {}

    // New reports of a trial, and the stop rules that they pass. Watches the trial from then on.
    Result<std::vector<Event>> read(TrialEntry& trial) const;
    // The error of a trial that reached `t` without measuring the score's series; `missingAtEnd`: it has trained to
    // its end.
    std::optional<Error> missing(const TrialEntry& trial, double t) const;
    Result<std::optional<Error>> missingAtEnd(store::RunQuery& query, const TrialEntry& trial) const;
    // The event for the end of a finished trial.
    Result<Event> endOf(store::RunQuery& query, TrialEntry& trial) const;
    // The trials with a run, best first.
    Result<std::vector<TrialEntry*>> ranked(store::RunQuery& query, TrialBook& trials) const;
    // The run of the best trial; empty if none has a score.
    Result<std::string> bestRun(store::RunQuery& query, TrialBook& trials) const;

private:
    Event reportOf(int trial, double t, double value) const;
    Result<RankOrder> orderOf(store::RunQuery& query, const std::vector<TrialEntry*>& trials) const;
    Result<TrialScore> scoreOfTrial(store::RunQuery& query, TrialEntry& trial) const;

    store::Workspace m_workspace;
    Scores m_scores;
    std::vector<spec::StopRule> m_stop;
    SeedPlan m_plan;
    bool m_epochs;
};

} // namespace trainyard::sweep
