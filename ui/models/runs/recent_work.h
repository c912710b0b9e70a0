// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/sweep/results/sweep_result.h"
#include "ui/models/runs/run_item.h"

namespace trainyard::ui {

// A line of recent work: a run, or a sweep with all its trials.
struct RecentWork {
    RunItemPtr run{}; // for a sweep: its best trial, or the newest while none has a score
    QString sweep{};  // its id; empty: a run of its own
    QString name{};
    wire::RunStatus status = wire::RunStatus::Queued;
    int trials = 0, done = 0; // of a sweep
    QString scoreSeries{};
    double best = std::numeric_limits<double>::quiet_NaN();
    std::int64_t atMs = 0; // its end, or its start while it is active
};

// Parses a sweep's file once, for the score of its trials.
class SweepScores {
public:
    const sweep::Scores& of(const store::SweepRow& sweep);

private:
    QHash<QString, sweep::Scores> m_scores;
};

// The newest `count` at most. `runs`: newest first. A sweep stands at the place of its newest trial. Trials of a sweep
// that is not in `sweeps` count as runs.
std::vector<RecentWork> recentWork(const std::vector<RunItemPtr>& runs, const std::vector<store::SweepRow>& sweeps,
                                   std::size_t count, SweepScores& scores);

} // namespace trainyard::ui
