// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"

namespace trainyard::run {

// What a record holds beside its row.
struct CopiedRecord {
    std::int64_t series = 0, points = 0;
};

// Rule: how the record of a run is copied into another workspace.
// In one transaction: workers, checkpoints, log, events and points. Row and checkpoints get the paths of the new
// workspace; no file is touched. Environment: one of the two cannot be read or written.
Result<CopiedRecord> copyRecord(store::RunQuery& from, store::RunRow& row,
                                const std::vector<store::CheckpointRow>& checkpoints, store::Store& to);

} // namespace trainyard::run
