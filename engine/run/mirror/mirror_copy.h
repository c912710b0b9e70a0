// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of runs that live on other hosts: a workspace below this computer's, with their rows, points, events,
// checkpoints and logs, and with single fetched checkpoint files. It stays while a host is unreachable.
#pragma once

#include "engine/run/mirror/mirror_line.h"
#include "engine/run/record/home_notes.h"
#include "engine/store/run_query.h"

#include <set>

namespace trainyard::run {

// Whose names, tags, notes, colours and archived flags win for a run that is here already.
enum class UserEdits { OfTheHost, OfThisComputer };

// Writes a host's news of a run into a record here, with the paths of `into` and without process and socket. Within
// store.together(). `known`: the record before. Environment: it cannot be written, or the news do not continue it.
Result<void> writeNews(store::Store& store, store::RunQuery& known, const store::Workspace& into,
                       const MirrorNews& news, UserEdits edits);

// The place of a checkpoint file that was fetched alone, whatever its path on the host.
std::filesystem::path mirrorOfCheckpoint(const store::Workspace& workspace, const std::string& run,
                                         const std::filesystem::path& there);
// Rule: whether a checkpoint of a run on a host is here.
// For a checkpoint that a copy lists.
bool isFetched(const store::CheckpointRow& row);

// RUN[@CHECKPOINT] of a run on another host, if that file was fetched: the run's row and the checkpoint from the copy.
struct FetchedCheckpoint {
    store::RunRow run;
    store::CheckpointRow checkpoint;
};
std::optional<FetchedCheckpoint> fetchedCheckpoint(const store::Workspace& workspace,
                                                   const std::string& runAtCheckpoint);

// Writes the copy, also while others write those of other hosts. One thread.
class MirrorCopy {
public:
    // Environment: it cannot be written.
    static Result<MirrorCopy> open(const store::Workspace& workspace);

    // The request to the host.
    Result<MirrorRequest> requestFor(const std::string& run) { return requestOf(*m_query, run); }
    // Requests for a sweep and its known trials.
    Result<std::vector<MirrorRequest>> requestsForSweep(const std::string& sweep);
    // Nothing: the run is not here.
    Result<std::optional<store::RunRow>> rowOf(const std::string& run);
    // Environment: it cannot be written, or the news do not continue the record: request them anew.
    Result<void> apply(const MirrorNews& news);
    // Drops the copies of all other runs, except trials of these sweeps: they were fetched or forgotten.
    Result<void> keepOnly(const std::set<std::string>& runsAndSweeps);

private:
    MirrorCopy(store::Workspace copy, std::unique_ptr<store::Store> store, std::unique_ptr<store::RunQuery> query)
        : m_workspace(std::move(copy)), m_store(std::move(store)), m_query(std::move(query)) {}
    Result<void> applySweep(const std::string& sweep, const SweepNews& news);

    store::Workspace m_workspace;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<store::RunQuery> m_query;
};

} // namespace trainyard::run
