// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/optim/optimizer.h"

#include <string>

namespace trainyard::train {

// The archive that Python's torch.save makes of a dictionary of tensors (on the CPU, any layout), of nothing but what
// torch.load takes with weights_only, its default from PyTorch 2.6 on. torch::pickle_save notes the type of the
// dictionary's keys and values as well, by a function that is not allowed there. Throws c10::Error.
std::string stateDictArchive(const optim::NamedTensors& tensors);

} // namespace trainyard::train
