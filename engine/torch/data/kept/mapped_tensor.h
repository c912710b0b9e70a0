// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <torch/torch.h>

#include <cstdint>
#include <vector>

namespace trainyard::data {

// A tensor of zeros on the CPU whose memory is a file of this process in the cache folder, which nobody else sees and
// which goes with the tensor: the system writes it out where memory is short. Environment: the disk is full.
Result<torch::Tensor> mappedTensor(const std::vector<std::int64_t>& shape, torch::ScalarType type);

} // namespace trainyard::data
