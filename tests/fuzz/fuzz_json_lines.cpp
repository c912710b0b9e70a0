// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/json_lines.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/imported.h"
#include "tests/fuzz/target.h"

using namespace trainyard::imports;

TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    const bool isTable = mappingOfJsonLines(file.path()).has_value();
    const auto run = readJsonLines(file.path());
    if (run.ok()) requireSound(*run);
    else requireExplained(run.error());
    require(run.ok() || !isTable || run.error().message.find("a line has more than") == 0,
            "what is recognised is read"); // but for a line that is too long
    return 0;
}
