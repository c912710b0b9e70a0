// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/mlflow_database.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/imported.h"
#include "tests/fuzz/target.h"

using namespace trainyard;
using namespace trainyard::imports;

TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    const auto runs = listMlflowRuns(file.path());
    if (!runs.ok()) {
        requireExplained(runs.error());
        return 0;
    }
    require(isSqliteFile(file.path()), "what is read is recognised");
    const auto read = readMlflowRuns(file.path(), *runs, [](const MlflowRun&, ImportedRun run) -> Result<void> {
        requireSound(run);
        return {};
    });
    if (!read) requireExplained(read.error());
    return 0;
}
