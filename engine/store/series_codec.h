// SPDX-License-Identifier: GPL-3.0-or-later
// Points of one series as the bytes of a chunk. The layout is described in SERIES.md.
#pragma once

#include "engine/wire/messages.h"

#include <span>

namespace trainyard::store {

inline constexpr std::size_t kChunkPoints = 512;

// At most kChunkPoints points. Steps, epochs and values come back bit for bit (a NaN as some NaN), times rounded to
// the microsecond.
std::vector<std::byte> encodeChunk(std::span<const wire::Point> points);
// Total: Environment when the bytes are damaged.
Result<std::vector<wire::Point>> decodeChunk(std::span<const std::byte> bytes);

} // namespace trainyard::store
