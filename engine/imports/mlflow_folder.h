// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a run of MLflow's file store, mlruns/EXPERIMENT/RUN (SOURCES.md).
#pragma once

#include "engine/base/result.h"
#include "engine/imports/imported_run.h"
#include "engine/imports/source_stream.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::imports {

// What a folder is to MLflow: one of a run has meta.yaml with a run_id and a folder metrics or params. A run that was
// deleted in MLflow still has its folder.
enum class MlflowFolder { None, Run, DeletedRun };
MlflowFolder mlflowFolderKind(const std::filesystem::path& folder);

// The files that are read of a run, in the order of their names: meta.yaml, metrics, params, the run's name and notes
// among its tags. Links are left out.
std::vector<std::filesystem::path> mlflowFilesOf(const std::filesystem::path& folder);

// Reads a file below metrics that is still written, as points of that series: in the order in which they were written.
std::unique_ptr<SourceStream> mlflowSeriesStream(const std::filesystem::path& file, std::string series,
                                                 ImportedRun& run);

// The run of the folder: a series for each file below metrics, whose points are put in the order of their steps; of
// several at one step the latest counts. Lines that are none are left out and named. Holds one file of points besides
// the run. Input where the folder is none of a run; the errors of FileReader::open for meta.yaml.
Result<ImportedRun> readMlflowFolder(const std::filesystem::path& folder);

} // namespace trainyard::imports
