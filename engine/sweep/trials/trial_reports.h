// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/results/sweep_result.h"
#include "engine/sweep/trials/trial_rows.h"
#include "engine/sweep/trials/trial_watch.h"
#include "engine/sweep/values/event.h"
#include "engine/sweep/values/paired_series.h"

#include <map>
#include <unordered_map>

namespace trainyard::sweep {

// What the trials of a sweep measure and reach, as events for its judge.
class TrialReports {
public:
    TrialReports(store::Workspace workspace, const spec::SweepSpec& spec, bool epochs)
        : m_workspace(std::move(workspace)), m_scores(scoresOf(spec)), m_stop(spec.rules.stop),
          m_plan(seedPlanOf(spec)), m_epochs(epochs) {}

    // The reports of a trial that are new, and the stop rules that they pass.
    Result<std::vector<Event>> read(const TrialRow& row);
    // Whether all reports of a trial that is over have been read; also when none were wanted.
    bool isReadToEnd(int trial) const;
    void close(int trial) { // its reports are not wanted any more
        m_watches.erase(trial);
        m_pairs.erase(trial);
    }
    void forget(int trial) { m_known.erase(trial); } // what it has measured was changed
    // What is wrong with a trial that has come to `t` without measuring what trials are scored by; `missingAtEnd`: that
    // has trained to its end.
    std::optional<Error> missing(int trial, double t) const;
    Result<std::optional<Error>> missingAtEnd(store::RunQuery& query, const TrialRow& row) const;
    // How a trial that is over has ended.
    Result<Event> endOf(store::RunQuery& query, const TrialRow& row);
    // The trials, the best first.
    Result<std::vector<const TrialRow*>> ranked(store::RunQuery& query, const std::vector<TrialRow>& trials);
    // The run of the best trial; empty when none has a score.
    Result<std::string> bestRun(store::RunQuery& query, const std::vector<TrialRow>& trials);
    // Readable when there is a new report; trials without one are looked at from time to time.
    std::vector<int> fds() const;

private:
    Event reportOf(int trial, double t, double value) const;
    Result<RankOrder> orderOf(store::RunQuery& query, const std::vector<TrialRow>& rows);
    Result<TrialScore> scoreOfTrial(store::RunQuery& query, const TrialRow& row);

    store::Workspace m_workspace;
    Scores m_scores;
    std::vector<spec::StopRule> m_stop;
    SeedPlan m_plan;
    bool m_epochs;
    std::map<int, TrialWatch> m_watches; // by trial, as are the next two
    std::map<int, PairedSeries> m_pairs; // of a sweep whose trials are compared by two series
    struct Known {
        std::int64_t step = 0, finishedMs = 0; // as its row had them: it may have gone on since, and ended anew
        TrialScore score{};
    };
    std::unordered_map<int, Known> m_known; // of those that ended: their series are read once
};

} // namespace trainyard::sweep
