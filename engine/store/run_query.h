// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/queue_rows.h"
#include "engine/store/run_events.h"
#include "engine/store/store.h"
#include "engine/store/trial_log.h"

#include <functional>

namespace trainyard::store {

// A series in one line: its last, best and number of points.
struct SeriesSummary {
    std::string series;
    std::int64_t count = 0;
    double last = 0, min = 0, max = 0;
    std::int64_t lastStep = 0, minStep = 0, maxStep = 0;
};

// Rule: which checkpoint is meant where none is named.
// The best one, else the newest; null if there is none. Rows are oldest first, as RunQuery::checkpoints() returns
// them.
const CheckpointRow* defaultCheckpoint(const std::vector<CheckpointRow>& rows);
// The one of that word: "best", "last" or a step; empty: the default. Input, with `where`, when there is none.
Result<CheckpointRow> checkpointNamed(const std::string& which, const std::vector<CheckpointRow>& rows,
                                      const std::string& where);
// Level of the log line that is a run's notice.
inline constexpr const char* kNoticeLevel = "notice";
// What was written to the tables of runs and sweeps.
struct Changes {
    std::int64_t last = -1;                      // number of the last change that is in here
    std::vector<RunRow> runs;                    // as they are now, newest first
    std::optional<std::vector<SweepRow>> sweeps; // all of them, newest first, when one has changed
    bool queue = false;                          // something of the queue has changed
    bool checkpoints = false;                    // of any run
};

// Read-only view of a workspace's store. Blocking, a few ms a call; one thread per object; works while supervisors
// write. A workspace without a database reads as empty.
class RunQuery {
public:
    static Result<std::unique_ptr<RunQuery>> open(const Workspace& workspace);
    ~RunQuery();
    const Workspace& workspace() const { return m_workspace; }

    Result<std::vector<RunRow>> runs(bool withArchived = false); // newest first
    // By id, unique id prefix, or name (the newest of that name). Input when there is none; lists near names.
    Result<RunRow> run(const std::string& idOrName);
    Result<std::vector<std::string>> seriesNames(const std::string& run);
    Result<std::vector<SeriesSummary>> summaries(const std::string& run);
    // Points from index `first` on, in order.
    Result<std::vector<wire::Point>> points(const RunId& run, const std::string& series, std::int64_t first = 0);
    // Oldest first; before them those that are superseded. Without those whose files are being deleted.
    Result<std::vector<CheckpointRow>> checkpoints(const std::string& run);
    // The same of all runs that have any, by the id of the run.
    Result<std::map<std::string, std::vector<CheckpointRow>>> checkpointsByRun();
    Result<std::vector<CheckpointRow>> halfDeleted(const std::string& run); // a process died while it deleted them
    Result<std::vector<std::string>> runsWithHalfDeleted();
    // Where rank 0 was last, by the id of the run; runs of this computer are not in it.
    Result<std::map<std::string, std::string>> hostsOfRankZero();
    // RUN[@CHECKPOINT]: "best" (the default where there is one), "last", or a step. Input when there is none.
    Result<CheckpointRow> checkpoint(const std::string& runAtCheckpoint);
    Result<std::vector<wire::WorkerState>> workers(const std::string& run);
    Result<std::vector<wire::LogLine>> log(const std::string& run, std::int64_t afterRow = 0,
                                           std::int64_t* lastRow = nullptr);
    Result<std::vector<RunEventRow>> events(const std::string& run); // in the order in which they happened
    // What stays to be said of a run that has ended well; empty: nothing.
    Result<std::string> notice(const std::string& run);
    Result<std::vector<SweepRow>> sweeps();
    Result<SweepRow> sweep(const std::string& idOrName);
    Result<std::vector<RunRow>> trials(const std::string& sweep); // by trial number
    // The same one after another, where not all are needed at once.
    Result<void> eachTrial(const std::string& sweep, const std::function<void(const RunRow&)>& take);
    // In their order, those after the event of this number.
    Result<std::vector<TrialEventRow>> trialEvents(const std::string& sweep, std::int64_t after = -1);
    // One after another, since there may be millions; `take` may fail, and then no more come.
    Result<void> eachTrialEvent(const std::string& sweep,
                                const std::function<Result<void>(const TrialEventRow&)>& take);
    // Those by which a trial went on with the state of another one, in their order.
    Result<std::vector<TrialEventRow>> adoptions(const std::string& sweep);
    // Those with which trials began, in their order.
    Result<std::vector<TrialEventRow>> trialStarts(const std::string& sweep);
    Result<std::vector<TrialDecisionRow>> trialDecisions(const std::string& sweep); // by trial number
    // What is asked of the sweep and not answered yet, in the order in which it came.
    Result<std::vector<SweepRequestRow>> openRequests(const std::string& sweep);
    Result<std::string> requestAnswer(std::int64_t request); // empty: none yet
    // Entries that have not started, in their order, and the settings.
    Result<Queue> queue();
    // The runs of their own, without trials, and the sweeps that claim to be active; oldest first.
    Result<std::vector<RunRow>> activeRuns();
    Result<std::vector<SweepRow>> activeSweeps();
    // The runs and sweeps that changed after the change with number `after`, archived runs among them, so that they can
    // be taken off a list; -1: all that are not archived. A change may come twice, and is never missed.
    Result<Changes> changesAfter(std::int64_t after);
    // A number that changes with every commit by any process: poll this, not the tables.
    Result<std::int64_t> dataVersion();

private:
    explicit RunQuery(sqlite3* db);
    Result<bool> ready(); // opens the database once there is one

    Workspace m_workspace;
    sqlite3* m_db;
};

} // namespace trainyard::store
