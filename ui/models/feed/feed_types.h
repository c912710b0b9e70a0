// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/queue/run_queue.h"
#include "engine/run/attach/run_follower.h"
#include "ui/models/runs/run_item.h"

#include <QSet>

#include <optional>

namespace trainyard::ui {

// News of one followed run, in order of arrival.
struct RunUpdate {
    QString run;
    bool reset = false; // it is followed from its start, or no longer followed: drop its points and log
    run::RunFollower::Update update;
};

// News that the feed's thread found since the GUI thread last looked.
struct FeedBatch {
    std::optional<QHash<QString, RunItemPtr>> runs;     // the new and changed ones; null: the run has left the list
    std::optional<std::vector<store::SweepRow>> sweeps; // newest first, those on hosts among them
    QHash<QString, Residence> sweepHomes;               // of those on hosts, by id; belongs to `sweeps`
    std::optional<queue::QueueView> queue;
    std::vector<RunUpdate> updates;
    QHash<QString, std::vector<store::CheckpointRow>> checkpoints;
    bool checkpointsTouched = false;                        // of any run, whether followed or not
    QHash<QString, std::vector<wire::WorkerState>> workers; // as stored: of runs without a supervisor
    bool isMirrorWanted = false;                            // a run or sweep lives elsewhere
    QString problem;                                        // why the store cannot be read, and the remedy
    bool empty() const {
        return !runs && !sweeps && !queue && updates.empty() && checkpoints.isEmpty() && workers.isEmpty() &&
               !checkpointsTouched && !isMirrorWanted && problem.isEmpty();
    }
};

} // namespace trainyard::ui
