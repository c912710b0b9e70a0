// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/json_records.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/target.h"

using namespace trainyard::formats;

// As rows of a table.
TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    const auto records = openJsonRecords(file.path());
    if (!records.ok()) {
        require(!records.error().message.empty() && !records.error().where.empty(),
                "an error has a place and a message");
        return 0;
    }
    std::vector<CsvCell> names, row;
    require((*records)->next(names).ok() && !names.empty(), "the names come first");
    for (;;) {
        const auto more = (*records)->next(row);
        require(more.ok(), "what was read once can be read again");
        if (!*more) return 0;
        require(row.size() == names.size(), "a row has a cell for every name");
    }
}
