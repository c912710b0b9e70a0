// SPDX-License-Identifier: GPL-3.0-or-later
// The copy of runs that live on other hosts: a workspace of its own below this computer's, with their rows, points,
// events and log, but none of their files. What a host has told stays when it cannot be reached.
#pragma once

#include "engine/run/mirror/mirror_line.h"
#include "engine/run/record/away_runs.h"
#include "engine/store/run_query.h"

#include <set>

namespace trainyard::run {

// The writer of the copy, also beside those of other hosts. One thread.
class MirrorCopy {
public:
    // Environment: it cannot be written.
    static Result<MirrorCopy> open(const store::Workspace& workspace);

    // What to ask the host for.
    Result<MirrorRequest> requestFor(const std::string& run);
    // What is known of it; nothing: it is not here.
    Result<std::optional<store::RunRow>> rowOf(const std::string& run);
    // Environment: it cannot be written, or the news do not continue what is here: ask anew.
    Result<void> apply(const MirrorNews& news);
    // Drops the copies of all other runs: they were fetched, or are not to be remembered.
    Result<void> keepOnly(const std::set<std::string>& runs);

private:
    MirrorCopy(store::Workspace copy, std::unique_ptr<store::Store> store, std::unique_ptr<store::RunQuery> query)
        : m_workspace(std::move(copy)), m_store(std::move(store)), m_query(std::move(query)) {}
    Result<void> applyRow(store::RunRow row);
    Result<void> applyEvents(const std::string& run, const std::vector<store::RunEventRow>& events);

    store::Workspace m_workspace;
    std::unique_ptr<store::Store> m_store;
    std::unique_ptr<store::RunQuery> m_query;
};

} // namespace trainyard::run
