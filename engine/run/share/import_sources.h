// SPDX-License-Identifier: GPL-3.0-or-later
// What can be imported below a path: runs that other programs have recorded, before they are read.
#pragma once

#include "engine/imports/mlflow_database.h"
#include "engine/imports/table_columns.h"

#include <filesystem>
#include <optional>

namespace trainyard::run {

// Which program recorded a run, and in which form.
enum class ImportKind { EventFiles, Table, JsonLines, Wandb, MlflowFolder, MlflowDatabase, Bundle, PrintedLog };
// "tensorboard", "csv", "json-lines", "wandb", "mlflow-folder", "mlflow-database", "bundle", "printed-log": in the
// database and in JSON; never changed.
const char* toString(ImportKind kind);

// A run that was found.
struct FoundImport {
    ImportKind kind = ImportKind::EventFiles;
    std::filesystem::path path; // absolute; of the folder or the file
    std::string part{};         // of a database or a bundle: the run's id in it
    std::string name;           // that it gets unless its content has one
    std::vector<std::filesystem::path> files{};
    std::optional<imports::TableMapping> mapping{}; // of tables and JSON lines
    std::vector<std::filesystem::path> settings{};  // files of hyperparameters beside them

    std::string key() const { return path.string() + '\n' + part; } // by which it is known again
};

// Rule: what can be imported.
// The runs of a file or below a folder, at any depth; links are not followed. One folder gives event files, or else
// JSON lines, or else tables, or else printed logs: programs that write several write the same values. Logs of one id
// of W&B are one run, as are event files and the one folder below theirs that TensorBoard's add_hparams() has made.
// Only names and the beginnings of files are read, JSON documents, and the list of runs of a database. Input where
// there is nothing to import, and for a database that cannot be used where it alone was named.
Result<std::vector<FoundImport>> findImports(const std::filesystem::path& given);

// Whether a file, or one of the first `entries` entries below a folder, can be imported, by its content. For answers
// while something is dragged: false does not mean that findImports() finds nothing in a large folder.
bool holdsImports(const std::filesystem::path& given, int entries = 400);

// Of a kind that is neither a database nor a bundle, whose runs are read together. The errors are those of the readers.
Result<imports::ImportedRun> readImport(const FoundImport& found);

} // namespace trainyard::run
