// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/averaging/compressed_sum.h"

namespace trainyard::train {

// Gradients go as they are for so many optimizer steps of a run: at first they turn too fast for a basis of the step
// before (PyTorch's hook: start_powerSGD_iter).
inline constexpr std::int64_t kStepsBeforeLowRank = 10;

// PowerSGD (low_rank.h): each rank carries over what its matrices have left out and adds it to the next gradients. A
// step with numbers that are not finite gives NaN on every rank and carries nothing over. Collective; errors are those
// of ProcessGroup::subgroup().
Result<std::unique_ptr<CompressedSums>> makeLowRankSums(const ProcessGroup& group, const CompressionOptions& options,
                                                        const std::vector<Flat>& flats);

} // namespace trainyard::train
