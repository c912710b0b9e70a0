// SPDX-License-Identifier: GPL-3.0-or-later
// What keeps the ranks' models one and the same.
#pragma once

#include "engine/torch/group/process_group.h"
#include "engine/torch/optim/optimizer.h"

#include <functional>
#include <string>

namespace trainyard::train {

// Compares every parameter's and buffer's name, shape and dtype, and `extra` (one "name: value" a line), across the
// ranks. Input error, the same on each rank, that names the first rank that differs from rank 0 and how. Then gives all
// ranks the values of rank 0, where they do not have them from the same seed already. `onPart` is told the number of
// each part of what goes between the ranks before it goes. Blocks.
Result<void> agreeOnModel(const ProcessGroup& group, const optim::NamedTensors& tensors, const std::string& extra,
                          const std::function<void(int)>& onPart = {});

// Rank 0's values to all, in place; those of one dtype together, in parts as ProcessGroup::broadcastBytes() has them.
// Blocks.
void broadcastTensors(const ProcessGroup& group, const optim::NamedTensors& tensors,
                      const std::function<void(int)>& onPart = {});

// 16 hexadecimal digits of the tensors' names and bytes: equal models, equal digests.
std::string digest(const optim::NamedTensors& tensors);

} // namespace trainyard::train
