// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/models/model.h"

#include <filesystem>

namespace trainyard::train {

// Rule: whether a run can begin with a checkpoint.
// Checks the state against the model and the run file's optimizer, and loads the weights into the model. Input with
// code CheckpointMisfit, naming the weights: it does not fit.
Result<void> checkFit(const TrainState& state, models::Model& model, const spec::RunSpec& spec,
                      const std::string& where);

// The same of a checkpoint file and a run file, before anything is started. Where the run has the dataset of the
// checkpoint's run, it need not be loaded; another one that cannot be loaded here is not judged. Blocks. Input also: a
// bad checkpoint, a model that cannot be made.
Result<void> checkFit(const std::filesystem::path& checkpoint, const spec::RunSpec& spec);

} // namespace trainyard::train
