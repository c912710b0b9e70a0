// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/table_files.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/imported.h"
#include "tests/fuzz/target.h"

using namespace trainyard::imports;

TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    const bool isTable = mappingOfTable(file.path()).has_value();
    const auto run = readTableFile(file.path());
    if (!run.ok()) {
        requireExplained(run.error());
        return 0;
    }
    require(isTable, "what is read is recognised");
    requireSound(*run);
    return 0;
}
