// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/printed/printed_log.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/imported.h"
#include "tests/fuzz/target.h"

using namespace trainyard::imports;

TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    const bool isLog = isPrintedLog(file.path());
    const auto run = readPrintedLog(file.path());
    if (run.ok()) requireSound(*run);
    else requireExplained(run.error());
    require(run.ok() || !isLog, "what is recognised is read");
    return 0;
}
