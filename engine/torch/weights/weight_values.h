// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/tensor_file.h"

#include <torch/torch.h>

#include <optional>
#include <string>

namespace trainyard::weights {

// The values of tensor number `tensor` as `wanted`; none: its kind is not read. Input: its part of the file is damaged,
// or a value is NaN or infinite.
Result<std::optional<torch::Tensor>> valuesIn(const program::TensorFile& file, std::size_t tensor,
                                              torch::ScalarType wanted);

// "3 x 224 x 224"
std::string shapeText(at::IntArrayRef shape);

} // namespace trainyard::weights
