// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/files/zip_archive.h"
#include "tests/fuzz/require.h"
#include "tests/fuzz/target.h"

TRAINYARD_FUZZ_TARGET(data, size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto records = trainyard::store::checkZip(bytes, "input");
    if (!records) return 0;
    for (const auto& record : *records)
        require(record.offset <= size && record.stored <= size - record.offset, "a record lies in the file");
    return 0;
}
