// SPDX-License-Identifier: GPL-3.0-or-later
// The low-rank matrices that a run trains in place of the weights (finetune.lora of a run file).
#pragma once

#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/models/model.h"

namespace trainyard::train {

// Adds them to the linear layers that lora.targets means, or to all of the body: the same first values on every rank
// for a seed; what the model puts out stays as it was. Does nothing at rank 0. Input, with the field: a glob means no
// linear layer, or the body has none.
Result<void> addAdapters(models::Model& model, const spec::Lora& lora, std::int64_t seed);

// The model that the run trains: makeModel() with its low-rank matrices.
Result<std::shared_ptr<models::Model>> makeTrainedModel(const spec::RunSpec& spec, const models::ModelContext& context);

// The state for a model with the low-rank matrices of `lora`. Where the state has others, by layers, rank or alpha,
// these are added to their weights, what the optimizer remembers of them goes, and the model's own keep their values.
TrainState fitAdapters(TrainState state, const models::Model& model, const spec::Lora& lora);

} // namespace trainyard::train
