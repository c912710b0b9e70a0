// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/catalog.h"

#include <optional>

namespace trainyard::spec {

// A learning rate is greater than 0 and at most this, whatever the optimizer.
inline constexpr double kMaxLearningRate = 100;

// The learning rate of an optimizer where the run file gives none: the default of its entry in the catalog, which each
// optimizer writes once (engine/torch/optim/optimizer_table.h). Nothing for an optimizer that is not in it (null).
std::optional<double> defaultLearningRate(const Entry* optimizer);

} // namespace trainyard::spec
