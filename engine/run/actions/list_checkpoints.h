// SPDX-License-Identifier: GPL-3.0-or-later
// The checkpoints of all runs of a workspace, and pins.
#pragma once

#include "engine/run/record/keep_rule.h"
#include "engine/store/run_query.h"

#include <string_view>

namespace trainyard::run {

// The checkpoints of one run.
struct RunCheckpoints {
    store::RunRow run;
    Score score;                            // what the best is chosen by
    std::string host;                       // of rank 0; empty: this computer
    std::vector<store::CheckpointRow> rows; // as RunQuery::checkpoints()
};

// The checkpoints of the runs that a filter finds (engine/run/filter), newest run first; runs without checkpoints are
// left out. Input: the filter is wrong, with the column.
Result<std::vector<RunCheckpoints>> listCheckpoints(store::RunQuery& query, bool withArchived,
                                                    std::string_view filter = {});

// A checkpoint's score, or NaN.
double scoreOf(const store::CheckpointRow& row, const Score& score);

// Sets or removes a pin.
struct PinEdit {
    std::int64_t checkpoint = 0; // CheckpointRow::id
    bool pinned = true;
    bool operator==(const PinEdit&) const = default;
};
// Pins and unpins, all or none. Returns the edits that undo it, without those that changed nothing. Input: a
// checkpoint is gone.
Result<std::vector<PinEdit>> pinCheckpoints(const store::Workspace& workspace, const std::vector<PinEdit>& edits);

} // namespace trainyard::run
