// SPDX-License-Identifier: GPL-3.0-or-later
// What people write on runs: names, tags, notes, colours, and which runs are archived or deleted.
#pragma once

#include "engine/store/run_query.h"

namespace trainyard::run {

// What is changed of one run; nothing: as it is.
struct RunEdit {
    std::string run;
    std::optional<std::string> name{}, tags{}, notes{}, color{}; // color: as store::readColorChoice takes it
    std::optional<bool> archived{};
    bool operator==(const RunEdit&) const = default;
};

// Rule: what a name, tags, notes and a colour may be, and how an edit is taken back.
// All of them or none. Returns the edits that take them back. Input for a run that there is not and for text that a run
// cannot have.
Result<std::vector<RunEdit>> editRuns(const store::Workspace& workspace, const std::vector<RunEdit>& edits);

// An archived run, and what deleting it frees.
struct ArchivedRun {
    store::RunRow row;
    std::uintmax_t bytes = 0; // of its folder
};
Result<std::vector<ArchivedRun>> archivedRuns(const store::Workspace& workspace); // newest first

// Deletes archived runs for good: their rows, points, logs and folders. Returns the bytes of the folders. Input for a
// run that is not archived, Environment for a folder that cannot be deleted; the runs before it are gone then.
Result<std::uintmax_t> deleteRuns(const store::Workspace& workspace, const std::vector<std::string>& runs);

} // namespace trainyard::run
