// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that another program has recorded, as runs of the workspace.
#pragma once

#include "engine/imports/imported_run.h"
#include "engine/run/share/import_sources.h"
#include "engine/store/run_query.h"

#include <functional>
#include <span>

namespace trainyard::run {

// Where an imported run comes from; kept in its environment.
struct ImportSource {
    std::string kind;   // as of ImportKind
    std::string path;   // absolute; of the folder or the file
    std::string digest; // SHA-256 over the files; of a run in a database over its values
    std::string part{}; // of a database: the run's id in it
};

// Rule: whether a run was imported, and from where.
// Nothing for a run trained here.
std::optional<ImportSource> importSource(const store::RunRow& row);
// Rule: what is not done with an imported run.
// Input with code not-trained-here: an imported run cannot be resumed or forked.
Result<void> mustBeTrainedHere(const store::RunRow& row);

// The outcome for one run of the source.
struct ImportedSource {
    enum class Outcome { Added, Changed, Unchanged, Failed };
    Outcome outcome = Outcome::Unchanged;
    std::string run, name, path; // run: empty where it failed
    std::int64_t series = 0, points = 0, otherValues = 0, skippedCount = 0;
    std::vector<imports::Skipped> skipped{};
    std::int64_t repeated = 0;                 // points that later ones have replaced (ImportedRun)
    std::vector<imports::Numbered> numbered{}; // series whose points shared their steps
    Error failure{};                           // of Failed
};
const char* toString(ImportedSource::Outcome outcome); // "added", "changed", "unchanged", "failed"

// The expected outcome for one run.
struct ImportPreview {
    FoundImport found{};
    std::int64_t bytes = 0; // of its files
    bool known = false;     // it was imported before: only what has changed is read
};
// The runs of findImports(). Nothing is written. The errors are those of findImports() and of the store.
Result<std::vector<ImportPreview>> previewImports(const store::Workspace& workspace, const std::filesystem::path& path);

// What an import tells while it works, on its thread.
struct ImportHooks {
    std::function<void(const ImportedSource&)> told{}; // of each run once it is stored, or has failed
    std::function<bool(std::size_t index)> begins{};   // false: the rest is left
};
// Imports what findImports() found. A source whose digest is recorded changes nothing; one that has changed has its
// run's points replaced, in one transaction; archived runs stay archived. A source that cannot be read or has no point
// has Failed, and the others are imported. Environment where the store cannot be written, or the source not be read.
Result<std::vector<ImportedSource>> importFound(const store::Workspace& workspace, std::span<const FoundImport> found,
                                                const ImportHooks& hooks = {});

// "loss: 30 points share step 0 and are numbered in the order of their times"
std::string toText(const imports::Numbered& numbered);

// Finds and imports. Input where there is nothing to import below a path (then nothing is imported), and where the only
// source cannot be read.
Result<std::vector<ImportedSource>> importRuns(const store::Workspace& workspace,
                                               std::span<const std::filesystem::path> paths,
                                               const std::function<void(const ImportedSource&)>& told = {});
Result<std::vector<ImportedSource>> importRuns(const store::Workspace& workspace, const std::filesystem::path& path,
                                               const std::function<void(const ImportedSource&)>& told = {});

} // namespace trainyard::run
