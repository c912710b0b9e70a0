// SPDX-License-Identifier: GPL-3.0-or-later
// Texts about checkpoints that several pages share.
#pragma once

#include "engine/store/rows.h"

#include <QString>

#include <vector>

namespace trainyard::ui {

// "Epoch 3", or "Step 120" inside an epoch.
QString checkpointTitle(const store::CheckpointRow& row);
// The checkpoint nearest to a step, the earlier one of two equally near; null if there is none.
const store::CheckpointRow* nearestCheckpoint(const std::vector<store::CheckpointRow>& rows, std::int64_t step);

} // namespace trainyard::ui
