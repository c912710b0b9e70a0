// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and sweeps that were started from this workspace and live on another host, in the workspace there, with their
// supervisor. Here is only a note for each, a file in the folder `away` by which commands find the host, and the copy
// of their record (engine/run/mirror/mirror_copy.h).
#pragma once

#include "engine/store/store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::run {

struct HomeNote {
    std::string id{}, name{};
    std::string host{}; // as the user named it: an alias of the host book, or user@host
    bool isSweep = false;
    std::int64_t startedMs = 0; // wall clock
};

// Environment: the note cannot be written or removed. Forgetting an unknown run does nothing.
Result<void> noteHome(const store::Workspace& workspace, const HomeNote& run);
Result<void> forgetHome(const store::Workspace& workspace, const std::string& id);

// Whether the run or sweep of this id lives on another host; reads no file.
bool livesElsewhere(const store::Workspace& workspace, const std::string& id);
// Rule: where a run, a sweep or a trial of another host lives.
// By id; also a trial of a sweep on another host, which the mirror knows.
std::optional<HomeNote> homeNote(const store::Workspace& workspace, const std::string& id);
// Rule: which runs live on other hosts.
// Newest first. Skips files that are no notes.
std::vector<HomeNote> homeNotes(const store::Workspace& workspace);

// Where a run was fetched from, in its row. The first supervisor that trains it here removes this.
struct FetchedFrom {
    std::string host{};
    bool isUnchanged = false; // nothing has trained it since
};
// Rule: whether a run was fetched, and may take what is new on its host.
std::optional<FetchedFrom> fetchedFrom(const store::RunRow& row);
// Writes that into the row, with its current state.
void setFetchedFrom(store::RunRow& row, const std::string& host);

// The mirror: the workspace with copies of their records, below the local one. It may not exist yet.
store::Workspace mirrorWorkspace(const store::Workspace& workspace);

// Rule: what the name of a run that lives on another host means here.
// By id, unique beginning of an id, or name (the newest of that name), as RunQuery::run().
std::optional<HomeNote> findNote(const std::vector<HomeNote>& newestFirst, std::string_view idOrName);

} // namespace trainyard::run
