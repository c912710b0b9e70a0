// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/imports/table_files.h"
#include "tests/fuzz/file_of.h"

using namespace trainyard::imports;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FileOf file(data, size);
    const bool isTable = isTableFile(file.path());
    const auto run = readTableFile(file.path());
    if (!run.ok()) {
        require(!run.error().message.empty() && !run.error().where.empty(), "an error has a place and a message");
        return 0;
    }
    require(isTable, "what is read is recognised");
    for (const auto& [name, points] : run->series) {
        require(!points.empty(), "a series has points");
        for (std::size_t at = 1; at < points.size(); ++at) require(points[at - 1].step < points[at].step, "steps grow");
    }
    for (const Skipped& skipped : run->skipped)
        require(!skipped.where.empty() && !skipped.message.empty() && !skipped.remedy.empty(),
                "a skipped record is explained");
    return 0;
}
