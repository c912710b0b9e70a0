// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"

namespace trainyard::data {

// Deals `all` into training and validation samples: a random `percent` of them, at least one, by `seed`.
// Input when that leaves nothing to train on.
Result<void> splitOff(Dataset& dataset, const Split& all, double percent, std::int64_t seed);

} // namespace trainyard::data
