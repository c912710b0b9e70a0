// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/run/half_batch.h"

#include <algorithm>

namespace trainyard::spec {

std::optional<RunSpec> withHalfTheBatch(RunSpec spec) {
    const std::int64_t perRank = spec.perRankBatch(), half = perRank / 2;
    if (half < 1) return std::nullopt;
    if (spec.batch.perRank) *spec.batch.perRank = half;
    // A batch of all is dealt evenly to the passes of all workers.
    else spec.batch.global = half * std::max<std::int64_t>(1, spec.scaling.workers * spec.batch.accumulate);
    return spec;
}

} // namespace trainyard::spec
