// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/data/dataset.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard::train {

// The members of a preview (PREVIEW.md) that tell of the dataset: data, thumbnails, points, table, text.
nlohmann::json samplesJson(const spec::RunSpec& spec, const data::Dataset& dataset);

} // namespace trainyard::train
