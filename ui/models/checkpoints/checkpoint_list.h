// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages say of the checkpoints of a run.
#pragma once

#include "engine/store/rows.h"

#include <QString>

#include <vector>

namespace trainyard::ui {

// "Epoch 3", or "Step 120" inside an epoch.
QString checkpointTitle(const store::CheckpointRow& row);
// The one nearest to a step, the earlier of two that are equally near; null when there is none.
const store::CheckpointRow* nearestCheckpoint(const std::vector<store::CheckpointRow>& rows, std::int64_t step);

} // namespace trainyard::ui
