// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/models/model.h"

#include <nlohmann/json_fwd.hpp>

#include <set>
#include <string>
#include <vector>

namespace trainyard::train {

// Rule: how much memory a run takes, as an estimate.
// The member "memory" of PREVIEW.md, in bytes. `frozen`: the parameters that are not trained at first; without
// finetune.thawAtEpoch they have no gradient, no state of the optimizer and no copies for averaging, and nothing is
// kept for a backward pass through the layers before the first that is trained. With tuning.recompute a block counts
// with its output, and the largest with all; with cached features the body is computed once, and what it puts out is in
// the memory of each worker. Input: an unknown optimizer.
Result<nlohmann::json> memoryJson(const spec::RunSpec& spec, const data::Dataset& dataset, const models::Model& model,
                                  const std::vector<models::LayerInfo>& layers, const std::set<std::string>& frozen);

} // namespace trainyard::train
