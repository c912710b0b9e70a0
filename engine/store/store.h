// SPDX-License-Identifier: GPL-3.0-or-later
// The workspace's record of runs: SQLite in WAL mode. Tables in schema.sql, chunk bytes in SERIES.md.
#pragma once

#include "engine/base/files/atomic_file.h"
#include "engine/base/text/name_of.h"
#include "engine/store/workspace.h"
#include "engine/wire/messages.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

struct sqlite3;

namespace trainyard::store {

// A row of the table of checkpoints.
struct CheckpointRow {
    std::int64_t id = 0;
    std::string path;
    std::int64_t step = 0;
    double epoch = 0;
    std::int64_t bytes = 0, wallMs = 0;
    std::map<std::string, double> metrics;
    bool best = false, last = false;
    bool pinned = false;     // by the user: nothing deletes it
    bool superseded = false; // the run went back to before it; it stays because it was pinned, and is not resumed from
};

// A row of the table of runs.
struct RunRow {
    std::string id, name;
    wire::RunStatus status = wire::RunStatus::Queued; // its word in the table; Unknown when that is none
    std::string specJson, sweep;                      // sweep: id or empty
    Error error;                                      // without a message: none
    std::string paramsJson;                           // a trial's parameters {path: value}; "{}" otherwise
    int trial = -1;
    int colorIndex = 0; // for life; the next free one at creation
    std::string color;  // what the user has chosen instead (run_color.h); empty: nothing
    bool archived = false;
    std::string notes, tags; // tags: space-separated
    std::int64_t createdMs = 0, startedMs = 0, finishedMs = 0;
    std::int64_t step = 0, totalSteps = 0;
    double epoch = 0;
    int worldSize = 0, restarts = 0;
    double launchToFirstStep = -1, trainSeconds = 0, samplesPerSecond = 0;
    std::int64_t supervisorPid = 0;
    std::string socketPath, folder;
    std::string environmentJson;  // versions, devices, host: what is needed to repeat the run
    std::string forkedFrom;       // id of the run whose checkpoint this one began with; empty: from scratch
    std::int64_t forkedStep = -1; // of that checkpoint

    bool operator==(const RunRow&) const = default;
};

// A row of the table of sweeps.
struct SweepRow {
    std::string id, name;
    wire::RunStatus status = wire::RunStatus::Queued; // as of a run
    std::string specJson;
    std::int64_t createdMs = 0, finishedMs = 0, supervisorPid = 0;
    int trials = 0;
    std::string bestRun;
};

struct TrialRecord;
enum class Taking { InTurn, Now }; // Now: though the queue is paused
struct RunEventRow;

// The writer. A supervisor is the only writer of its run's rows; different supervisors take turns in short
// transactions (busy timeout 10 s). One thread.
class Store {
public:
    enum class Check { Now, Done }; // of the file's structure: some milliseconds, once for each run
    static Result<std::unique_ptr<Store>> open(const Workspace& workspace, Check check = Check::Now);
    ~Store();

    // How long a write waits for another process's transaction before it fails; 10 s unless set.
    void setBusyTimeout(int milliseconds);

    // From now on a write waits for the disk only when none has for `seconds`: many small ones cost no more than a few.
    // A loss of power may take what was written since; the end of this process takes nothing.
    void setSyncInterval(double seconds);
    bool waitsForDisk() const { return m_waits; } // as the last write did

    // One transaction, and so one wait for the disk, for several of the calls below: all are committed or none.
    // `writes` must fail when one of its calls does. PowerLoss: it waits for the disk, whatever the interval.
    Result<void> together(const std::function<Result<void>()>& writes, Outlives outlives = Outlives::Process);

    // Rule: which colour a new run gets.
    Result<void> createRun(RunRow& row); // gives it a colorIndex
    // What a supervisor changes: all but the id, sweep, trial, colour and creation time, and but the name, notes, tags,
    // chosen colour and archived flag, which only the user's edits below change (so that neither undoes the other's).
    Result<void> updateRun(const RunRow& row);
    Result<void> setWorkers(const std::string& run, const std::vector<wire::WorkerState>& workers);
    // Appends points at firstIndex; a batch is one transaction over all series. Points that are stored already are
    // skipped, so a batch may be repeated; a firstIndex behind the end of the series is a Run error.
    Result<void> appendPoints(const std::string& run, const std::vector<wire::SeriesPoints>& series);
    // Drops points and events of a later step.
    Result<void> truncateAfter(const std::string& run, std::int64_t step);
    // The list as it now is. Pins stay as they are in the store, and so does a pinned row that the list lacks, as long
    // as its file is there. Returns the files of those.
    Result<std::vector<std::string>> setCheckpoints(const std::string& run, const std::vector<CheckpointRow>& rows);
    // The run goes back to before a pinned checkpoint, whose file is at this path now.
    Result<void> supersede(std::int64_t checkpoint, const std::string& path);
    // Deleting checkpoints: first their rows are marked, so that they are listed and pinned no more, then the files go,
    // then the rows. After a crash in between, RunQuery::halfDeleted() knows what is left to do. Pinned ones are not
    // marked; returns those that were.
    Result<std::vector<std::int64_t>> beginDeleting(const std::vector<std::int64_t>& checkpoints);
    Result<void> finishDeleting(const std::vector<std::int64_t>& checkpoints);
    Result<void> appendLog(const std::string& run, const std::vector<wire::LogLine>& lines);
    Result<void> appendEvents(const std::string& run, const std::vector<RunEventRow>& events); // ids are given here
    Result<void> createSweep(const SweepRow& row);
    Result<void> updateSweep(const SweepRow& row);
    Result<void> takeBackSweep(const std::string& sweep); // one that was not begun after all; not where it has trials
    // For a sweep (trial_log.h). Answers are durable: after a power loss no request is answered a second time.
    Result<void> appendTrialRecord(const std::string& sweep, const TrialRecord& record);

    // Marks a queue's entry as started by this run (queue_rows.h); together() with the run's row, so that an entry
    // never starts twice. Input with code NotQueued when it does not wait any more, or its turn does not come because
    // the queue is paused.
    Result<void> takeQueued(std::int64_t entry, const std::string& run, Taking taking);

    // Edits a user makes: committed with FULL durability. Input for a name that a run file could not have, and for tags
    // of more than 1000 characters or with such that a terminal obeys.
    Result<void> rename(const RunId& run, const std::string& name);
    Result<void> setArchived(const std::string& run, bool archived);
    Result<void> setTags(const RunId& run, const std::string& tags);
    // Of several lines, at most 10,000 characters; Input where a terminal would obey a part of them.
    Result<void> setNotes(const RunId& run, const std::string& notes);
    // As readColorChoice takes it; runs made later get another colour by themselves.
    Result<void> setColor(const RunId& run, const std::string& color);
    // Whether that changed anything. Input for a checkpoint that there is not, or no more.
    Result<bool> setPinned(std::int64_t checkpoint, bool pinned);
    // Takes an archived run out of the record, with its points, checkpoints, workers and log; Input for another one.
    Result<void> deleteArchived(const std::string& run);
    // Runs and sweeps that claim to be active while no process holds their lock become Interrupted. Returns their ids.
    // Not touched: those created in the last 15 s whose lock was never held, since their supervisor may still be
    // starting, queued trials of a live sweep, and sweeps that are jobs of Slurm.
    Result<std::vector<std::string>> markInterrupted(const Workspace& workspace);

private:
    explicit Store(sqlite3* db);
    Result<void> inTransaction(const std::function<Result<void>()>& writes); // one of its own, unless within together()
    Result<void> commit(const std::function<Result<void>()>& writes, Outlives outlives);

    sqlite3* m_db;
    bool m_together = false;
    double m_syncSeconds = 0;          // 0: each write waits for the disk
    double m_syncedAt = -1e9;          // monotonic; long ago
    bool m_waits = true;               // for the disk: as the connection is set
    std::optional<int> m_newestColour; // that was given by this object
};

// Holds "this run is being supervised": an flock on <folder>/supervisor.lock, released by the kernel when the
// process dies, however it dies.
class RunLock {
public:
    static Result<RunLock> acquire(const std::filesystem::path& folder); // Environment when another process holds it
    // Takes over the lock that a parent process left open in this one, if the descriptor is that of this folder's lock.
    // There is no gap in which another process could take it: the lock is free only once every copy of its descriptor
    // is closed.
    static std::optional<RunLock> adopt(int fd, const std::filesystem::path& folder);
    static bool isHeld(const std::filesystem::path& folder);
    // Waits until the lock is free; false when it is still held after `seconds`.
    static bool waitUntilFree(const std::filesystem::path& folder, double seconds);
    static bool wasEverHeld(const std::filesystem::path& folder);
    RunLock(RunLock&&) noexcept;
    RunLock& operator=(RunLock&&) noexcept;
    ~RunLock();
    int fd() const { return m_fd; } // to be handed to a child

private:
    explicit RunLock(int fd);
    int m_fd;
};

} // namespace trainyard::store
