// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/run_spec.h"

#include <cstdint>
#include <string>

namespace trainyard::train {

// What the run would train, as JSON, before it starts; PREVIEW.md beside this file lists the members: data (class names
// and counts, thumbnails), model (layer table, parameters), learning rate over the run, batch arithmetic, memory
// (estimated). With a checkpoint file also whether the run can begin with it. Loads the dataset; blocks. Input:
// anything that the run itself would refuse, but for the checkpoint. `samples`: set to the number of training samples
// once the dataset is loaded, also where the run is refused for another reason; null: nobody asks.
Result<std::string> previewJson(const spec::RunSpec& spec, const std::string& checkpoint = {},
                                std::int64_t* samples = nullptr);

} // namespace trainyard::train
