// SPDX-License-Identifier: GPL-3.0-or-later
// The norm over all gradients, summed so that every averager gets the same bits: in double, in blocks of each
// parameter's memory, and the blocks in order.
#pragma once

#include "engine/torch/optim/optimizer.h"

#include <cstddef>

namespace trainyard::train {

// Blocks begin at a parameter's first element; the last one of a parameter may be shorter.
inline constexpr std::size_t kNormBlock = 4096;

// Of at most kNormBlock values. NaN or infinite when one of them is.
double sumOfSquares(const float* values, std::size_t count);

// Of the parameters' gradients, in their order. Infinite or NaN when a gradient is. Waits for the device.
double gradientNorm(const optim::NamedTensors& parameters);
// The same where all gradients are on a device, as float64 [] there: nothing is waited for. Else undefined.
torch::Tensor gradientNormOnDevice(const optim::NamedTensors& parameters);

// What the gradients are multiplied by to bring their norm down to `limit` (0: no limit): limit / (norm + 1e-6), at
// most 1, as torch.nn.utils.clip_grad_norm_ has it (Pascanu, Mikolov, Bengio, On the Difficulty of Training Recurrent
// Neural Networks, 2013, arXiv:1211.5063).
float clipFactor(double norm, double limit);

} // namespace trainyard::train
