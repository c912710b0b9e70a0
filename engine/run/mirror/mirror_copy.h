// SPDX-License-Identifier: GPL-3.0-or-later
// The copy of runs that live on other hosts: a workspace of its own below this computer's, with their rows, points,
// events, checkpoints and log, and with those files of checkpoints that were fetched one by one. What a host has told
// stays when it cannot be reached.
#pragma once

#include "engine/run/mirror/mirror_line.h"
#include "engine/run/record/home_notes.h"
#include "engine/store/run_query.h"

#include <set>

namespace trainyard::run {

// Whose names, tags, notes, colours and archived flags hold where a run is here already.
enum class UserEdits { OfTheHost, OfThisComputer };

// Writes what a host has told of a run into a record here: paths become those of `into`, the run's process and socket
// none. Within store.together(). `known`: the same record as it was before. Environment: it cannot be written, or the
// news do not continue what is here.
Result<void> writeNews(store::Store& store, store::RunQuery& known, const store::Workspace& into,
                       const MirrorNews& news, UserEdits edits);

// Where the file of a checkpoint is when it has been fetched alone, whatever its path on the host.
std::filesystem::path mirrorOfCheckpoint(const store::Workspace& workspace, const std::string& run,
                                         const std::filesystem::path& there);
// Rule: whether a checkpoint of a run on a host is here.
// For a checkpoint that a copy lists.
bool isFetched(const store::CheckpointRow& row);

// RUN[@CHECKPOINT] of a run that lives on another host, where that file was fetched: the run's row and the checkpoint,
// as the copy has them.
struct FetchedCheckpoint {
    store::RunRow run;
    store::CheckpointRow checkpoint;
};
std::optional<FetchedCheckpoint> fetchedCheckpoint(const store::Workspace& workspace,
                                                   const std::string& runAtCheckpoint);

// The writer of the copy, also beside those of other hosts. One thread.
class MirrorCopy {
public:
    // Environment: it cannot be written.
    static Result<MirrorCopy> open(const store::Workspace& workspace);

    // What to ask the host for.
    Result<MirrorRequest> requestFor(const std::string& run) { return requestOf(*m_query, run); }
    // The same for a sweep, and for those of its trials that are known.
    Result<std::vector<MirrorRequest>> requestsForSweep(const std::string& sweep);
    // What is known of it; nothing: it is not here.
    Result<std::optional<store::RunRow>> rowOf(const std::string& run);
    // Environment: it cannot be written, or the news do not continue what is here: ask anew.
    Result<void> apply(const MirrorNews& news);
    // Drops the copies of all other runs, but for trials of these sweeps: they were fetched, or are not to be
    // remembered.
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
