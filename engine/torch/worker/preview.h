// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run_spec.h"

#include <string>

namespace trainyard::train {

// What the run would train, as JSON, before it starts; PREVIEW.md beside this file lists the members: data (class names
// and counts, thumbnails), model (layer table, parameters), learning rate over the run, batch arithmetic, memory
// (estimated). Loads the dataset; blocks. Input: anything that the run itself would refuse.
Result<std::string> previewJson(const spec::RunSpec& spec);

} // namespace trainyard::train
