// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"
#include "engine/torch/models/model.h"
#include "engine/torch/optim/optimizer.h"

#include <string>

namespace trainyard::train {

// Why a loss is not finite: "the weights of \"head\" hold NaN or infinity", "the batch holds …", or the first layer
// whose output does. Without a batch, only the weights are looked at. Runs one more forward in the model's present
// mode, which spends random numbers and changes running statistics.
std::string whyNotFinite(models::Model& model, const optim::NamedTensors& parameters, const data::Batch& batch);

// "the gradient of layer \"head\" (head.weight) is not finite", of the one nearest to the loss.
std::string whichGradientNotFinite(const optim::NamedTensors& parameters);

} // namespace trainyard::train
