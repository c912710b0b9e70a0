// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/formats/numpy_records.h"
#include "tests/fuzz/file_of.h"
#include "tests/fuzz/target.h"

using namespace trainyard::formats;

// As an array and as an archive, row by row.
TRAINYARD_FUZZ_TARGET(data, size) {
    const FileOf file(data, size);
    for (const auto& open : {openNumpyArray, openNumpyArchive}) {
        const auto records = open(file.path());
        if (!records.ok()) {
            require(!records.error().message.empty() && !records.error().where.empty(),
                    "an error has a place and a message");
            continue;
        }
        std::vector<CsvCell> row;
        std::size_t columns = 0;
        for (;;) {
            const auto more = (*records)->next(row);
            require(more.ok(), "what was opened can be read");
            if (!*more) break;
            require(columns == 0 || row.size() == columns, "all rows are as long");
            columns = row.size();
        }
        require(columns > 0, "there are rows");
    }
    return 0;
}
