// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/data/dataset.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <vector>

namespace trainyard::train {

// The training samples that a preview shows, of each class some.
std::vector<std::int64_t> shownSamples(const data::Dataset& dataset);
// The members of a preview (PREVIEW.md) that tell of the dataset: data, thumbnails, points, table, text.
nlohmann::json samplesJson(const spec::RunSpec& spec, const data::Dataset& dataset);

} // namespace trainyard::train
