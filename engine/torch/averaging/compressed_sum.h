// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/torch/group/process_group.h"

#include <optional>
#include <string>

namespace trainyard::train {

// torch::kHalf or kBFloat16 for "fp16" and "bf16", nothing for "none". Input: another word.
Result<std::optional<torch::ScalarType>> compressionType(const std::string& name);

// Sums a flat float tensor over the ranks, in place, with numbers of 16 bits on the way: each rank adds up one part of
// it in float32, and the sums go to all. The same bits on every rank. Half the traffic of a plain sum, with any number
// of ranks, and on any backend: what travels are bytes. Blocks. The traffic is that of fp16_compress_hook and
// bf16_compress_hook (torch.distributed.algorithms.ddp_comm_hooks), which add up in 16 bits.
void compressedSum(const ProcessGroup& group, torch::Tensor& flat, torch::ScalarType type);

} // namespace trainyard::train
