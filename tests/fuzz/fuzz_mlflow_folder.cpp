// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes as a file of points, of a parameter and, below the line that makes it a run, of facts.
#include "engine/imports/mlflow_folder.h"
#include "tests/fuzz/imported.h"
#include "tests/fuzz/made_folder.h"
#include "tests/fuzz/target.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

using namespace trainyard::imports;

TRAINYARD_FUZZ_TARGET(data, size) {
    static const MadeFolder folder;
    const std::string text(textOf(data, size));
    folder.write("meta.yaml", "run_id: a\n" + text);
    folder.write("metrics/loss", text);
    folder.write("params/lr", text);
    (void)mlflowFolderKind(folder.path());
    const auto run = readMlflowFolder(folder.path());
    if (run.ok()) requireSound(*run);
    else requireExplained(run.error());
    return 0;
}
