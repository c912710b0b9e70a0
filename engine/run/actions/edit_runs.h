// SPDX-License-Identifier: GPL-3.0-or-later
// Edits that people make on runs: names, tags, notes and colours; archiving and deleting.
#pragma once

#include "engine/store/run_query.h"

namespace trainyard::run {

// The changes to one run; an empty member keeps the value.
struct RunEdit {
    std::string run;
    std::optional<std::string> name{}, tags{}, notes{}, color{}; // color: as store::readColorChoice takes it
    std::optional<bool> archived{};
    bool operator==(const RunEdit&) const = default;
};

// Rule: what a name, tags, notes and a colour may be, and how an edit is taken back.
// Makes all edits or none. Returns the edits that undo them. Input: an unknown run, or text that a run cannot have.
Result<std::vector<RunEdit>> editRuns(const store::Workspace& workspace, const std::vector<RunEdit>& edits);

// An archived run, and the space that deleting it frees.
struct ArchivedRun {
    store::RunRow row;
    std::uintmax_t bytes = 0; // of its folder
};
Result<std::vector<ArchivedRun>> archivedRuns(const store::Workspace& workspace); // newest first

// Deletes archived runs for good: rows, points, logs and folders. Returns the bytes of the folders. Input: a run is
// not archived. Environment: a folder cannot be deleted; the runs before it are gone by then.
Result<std::uintmax_t> deleteRuns(const store::Workspace& workspace, const std::vector<std::string>& runs);

} // namespace trainyard::run
