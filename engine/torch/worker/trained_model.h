// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/models/model.h"

namespace trainyard::train {

// The model of a checkpoint, with its weights, in evaluation mode on the CPU.
struct TrainedModel {
    TrainState state;
    spec::RunSpec spec;
    models::ModelContext context;
    std::shared_ptr<models::Model> model;
};

// Makes the model that the checkpoint's run file names and fills it. Input: a bad checkpoint, or a model that cannot be
// made any more (a TorchScript file or plug-in that is gone or another one).
Result<TrainedModel> loadTrained(const std::filesystem::path& checkpoint);

// The model as the bytes of a TorchScript file, in evaluation mode, for batches of any size. A TorchScript model is
// saved as it is; any other is traced, and the trace compared with the model on other batches before this returns. Run
// error when they differ. `modelInfo.json` in the archive says what it was trained on.
Result<std::string> torchScriptOf(const TrainedModel& trained);

} // namespace trainyard::train
