// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters of PEFT as weights to begin with: adapter_model.safetensors with adapter_config.json beside it, and the
// weights that it belongs to (Hugging Face's PEFT, its LoRA method; https://github.com/huggingface/peft).
#pragma once

#include "engine/torch/weights/load_weights.h"

namespace trainyard::weights {

// Every tensor has a name of PEFT, "base_model.model.…".
bool isAdapterFile(const program::TensorFile& file);

// The weights that it belongs to, as the configuration beside it names them. Input: as parseAdapterConfig() and
// baseOfAdapter(); they are an adapter themselves.
Result<program::TensorFile> baseFileOf(const program::TensorFile& adapter);

// Loads these, then the matrices: into those of the model, where it has them in the same layers with the same rank and
// alpha, so that training goes on with them; else their product is added to the weights, with the bits of an export.
// Modules that were saved whole (modules_to_save) are copied; a head by the rule of `use.head`. Input: as loadWeights()
// for either file; a matrix without its other one, for a layer that the model lacks, or of another shape.
Result<WeightsReport> loadAdapter(models::Model& model, const program::TensorFile& adapter, const WeightsUse& use);

} // namespace trainyard::weights
