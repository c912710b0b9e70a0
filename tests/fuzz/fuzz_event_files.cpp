// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/event_files.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/imported.h"
#include "tests/fuzz/target.h"

#include <array>

using namespace trainyard::imports;

TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    const std::array files{file.path(), file.path()}; // the second file repeats the steps of the first
    const auto run = readEventFiles(files);
    if (!run.ok()) return 0; // gzip that is broken
    requireSound(*run);
    return 0;
}
