// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the runs of MLflow's database, mlflow.db (SOURCES.md). The only reader here that needs SQLite.
#pragma once

#include "engine/base/result.h"
#include "engine/imports/imported_run.h"

#include <filesystem>
#include <functional>

namespace trainyard::imports {

// Whether the file begins as a database of SQLite does. Of a file that cannot be read, false.
bool isSqliteFile(const std::filesystem::path& file);

// A run of the database.
struct MlflowRun {
    std::string id, name; // name: as in MLflow; may be empty
};

// The runs that are not deleted, oldest first. The database is opened for reading alone and left as it is. Input: it is
// damaged, or has no tables of MLflow. Environment: another program has locked it for more than two seconds, or it
// cannot be opened.
Result<std::vector<MlflowRun>> listMlflowRuns(const std::filesystem::path& database);

// What a database that is still written has got since: the rows of metrics behind `lastRow` that have a time, or whose
// run began, at `sinceMs` (milliseconds since 1970) or later, in the order in which they were written. Gives the last
// row (that given, where there is none). Does not wait for a lock: Environment, and the next look finds them. Else the
// errors of listMlflowRuns.
Result<std::int64_t> readMlflowRowsSince(
    const std::filesystem::path& database, std::int64_t sinceMs, std::int64_t lastRow,
    const std::function<void(const std::string& run, const std::string& series, const Point& point)>& told);

// The runs of these ids, one after another, as the database has them at one moment. The errors of listMlflowRuns, and
// those of `told`.
Result<void> readMlflowRuns(const std::filesystem::path& database, const std::vector<MlflowRun>& runs,
                            const std::function<Result<void>(const MlflowRun&, ImportedRun)>& told);

} // namespace trainyard::imports
