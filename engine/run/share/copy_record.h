// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/run_query.h"

namespace trainyard::run {

// What a record holds beside its row.
struct CopiedRecord {
    std::int64_t series = 0, points = 0;
};

// Rule: how the record of a run is copied into another workspace.
// Copies the record of a run from one workspace into another, in one transaction: workers, checkpoints, log, events and
// points. The row and the checkpoints are those of the copy, with the paths that its workspace has; no file is touched.
// Environment: one of the two cannot be read or written.
Result<CopiedRecord> copyRecord(store::RunQuery& from, store::RunRow& row,
                                const std::vector<store::CheckpointRow>& checkpoints, store::Store& to);

} // namespace trainyard::run
