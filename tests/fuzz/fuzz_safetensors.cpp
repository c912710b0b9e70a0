// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/files/safetensors.h"
#include "engine/store/series_codec.h"
#include "tests/fuzz/target.h"

// Chunks of points are read from the same kind of place, a disk, so they share the target.
TRAINYARD_FUZZ_TARGET(data, size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    (void)trainyard::store::checkSafetensors(bytes).ok();
    (void)trainyard::store::decodeChunk(bytes).ok();
    return 0;
}
