// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/kept_store.h"
#include "engine/store/renamed_series.h"
#include "engine/store/run_events.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace trainyard::run {

// Writes a run's news to the store in batches, about twelve a second. While the store cannot be written (disk full),
// keeps everything in memory, in order, and retries.
class RunRecorder {
public:
    // `store`: other runs of this process may be written to it as well.
    RunRecorder(std::shared_ptr<store::KeptStore> store, std::string run);
    // A store for recorders: waits for other programs no longer than ranks can wait. `syncSeconds` as in
    // Store::setSyncInterval.
    static std::shared_ptr<store::KeptStore> storeFor(store::Workspace workspace, double syncSeconds);

    void row(const store::RunRow& row);
    void workers(std::vector<wire::WorkerState> workers);
    void points(std::vector<wire::SeriesPoints> series);
    // For points that may be lost with the supervisor: written about every ten seconds, as each growing series
    // rewrites its last chunk. `now` is monotonic.
    void slowPoints(std::vector<wire::SeriesPoints> series, double now);
    void rename(std::vector<store::RenamedSeries> series); // of the points that there are by now
    void rewind(std::int64_t step);
    // The complete new list; deletes `voidFiles` once the list is committed, which then waits for the disk.
    // Checkpoints that the user pinned meanwhile stay.
    void checkpoints(std::vector<store::CheckpointRow> rows, std::vector<std::filesystem::path> voidFiles,
                     Outlives outlives = Outlives::PowerLoss);
    void event(store::RunEventRow event);
    void log(wire::LogLine line);
    // Writes at the next chance: a checkpoint follows, and its curve should lead up to it.
    void soon();

    // Writes when a batch is due; `now` is monotonic. Returns true if a checkpoint list was committed.
    bool flushIfDue(double now);
    Result<void> flush();
    double due() const { return std::min(m_due, m_slowDue); } // monotonic; infinity when there is nothing to write
    // The checkpoints in the store; nothing while it cannot be read.
    std::vector<store::CheckpointRow> storedCheckpoints() const;
    bool hasUnwrittenPoints() const { return !m_pending.points.empty(); } // but for slow ones
    // Points that watchers cannot find in the store yet.
    std::vector<wire::SeriesPoints> unwritten() const;
    // The current write error.
    const std::optional<Error>& trouble() const { return m_trouble; }

private:
    using Points = std::map<std::string, wire::SeriesPoints>; // by series
    struct Pending {
        std::vector<store::RenamedSeries> renamed; // of what the store has: before all else
        std::optional<std::int64_t> rewind;
        Points points;
        std::optional<store::RunRow> row;
        std::optional<std::vector<wire::WorkerState>> workers;
        std::optional<std::vector<store::CheckpointRow>> checkpoints;
        std::vector<std::filesystem::path> voidFiles;
        Outlives outlives = Outlives::Process;
        std::vector<store::RunEventRow> events;
        std::vector<wire::LogLine> log;
        bool empty() const;
    };
    void changed();
    void takeSlow();
    Result<void> writePending();
    Result<void> write();
    void deleteVoidFiles(const std::vector<std::string>& pinned);

    std::shared_ptr<store::KeptStore> m_store;
    std::string m_run;
    Pending m_pending;
    Points m_slow;
    double m_due, m_slowDue;
    bool m_listWritten = false;
    std::optional<Error> m_trouble;
};

} // namespace trainyard::run
