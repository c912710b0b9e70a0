// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that another program has recorded, as runs of the workspace.
#pragma once

#include "engine/imports/imported_run.h"
#include "engine/store/run_query.h"

#include <functional>

namespace trainyard::run {

// Where an imported run comes from; kept in its environment.
struct ImportSource {
    std::string kind;   // "tensorboard", "csv"
    std::string path;   // absolute; of the folder or the file
    std::string digest; // SHA-256 over the files
};

// Of a run that was imported; nothing for one that was trained here.
std::optional<ImportSource> importSource(const store::RunRow& row);
// Input with the code not-running where the run was imported: there is nothing to resume or fork.
Result<void> mustBeTrainedHere(const store::RunRow& row);

// What became of one run of the source.
struct ImportedSource {
    enum class Outcome { Added, Changed, Unchanged };
    Outcome outcome = Outcome::Unchanged;
    std::string run, name, path;
    std::int64_t series = 0, points = 0, otherValues = 0, skippedCount = 0;
    std::vector<imports::Skipped> skipped{};
};
const char* toString(ImportedSource::Outcome outcome); // "added", "changed", "unchanged"

// Imports a file, or every run below a folder: each folder with event files is one, and so is each table
// in CSV that has none beside it. Links are not followed. A source
// whose digest is recorded changes nothing; one that has changed has its run's points replaced, in one transaction;
// archived runs stay archived. `told` hears of each run once it is stored. Input where there is nothing to import.
Result<std::vector<ImportedSource>> importRuns(const store::Workspace& workspace, const std::filesystem::path& path,
                                               const std::function<void(const ImportedSource&)>& told = {});

} // namespace trainyard::run
