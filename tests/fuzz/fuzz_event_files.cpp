// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/event_files.h"
#include "tests/fuzz/file_of.h"

#include <array>

using namespace trainyard::imports;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FileOf file(data, size);
    const std::array files{file.path(), file.path()}; // the second file repeats the steps of the first
    const auto run = readEventFiles(files);
    if (!run.ok()) return 0; // gzip that is broken
    for (const auto& [name, points] : run->series) {
        require(!points.empty(), "a series has points");
        for (std::size_t at = 1; at < points.size(); ++at) require(points[at - 1].step < points[at].step, "steps grow");
    }
    require(run->skipped.size() <= ImportedRun::kMostNamed, "the list of skipped records is bounded");
    for (const Skipped& skipped : run->skipped)
        require(!skipped.where.empty() && !skipped.message.empty() && !skipped.remedy.empty(),
                "a skipped record is explained");
    return 0;
}
