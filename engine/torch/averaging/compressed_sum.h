// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/torch/group/process_group.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::train {

// torch::kHalf or kBFloat16 for "fp16" and "bf16", nothing for "none". Input: another word.
Result<std::optional<torch::ScalarType>> compressionType(const std::string& name);

// Sums flat float tensors over the ranks, in place, with numbers of 16 bits on the way, while the caller does other
// things. They are added up in float32, and every rank gets the same bits, whatever comes when. The traffic is that of
// fp16_compress_hook and bf16_compress_hook (torch.distributed.algorithms.ddp_comm_hooks), which add up in 16 bits.
class CompressedSums {
public:
    // Collective. `flats`, all on one device, stay as they are for as long as this lives. Errors are those of
    // ProcessGroup::subgroup().
    static Result<std::unique_ptr<CompressedSums>> make(const ProcessGroup& group, torch::ScalarType type,
                                                        const std::vector<torch::Tensor>& flats);
    virtual ~CompressedSums() = default;
    // Begins with the sum of one tensor, which nobody touches until it was waited for. Every rank begins with the same
    // ones in the same order.
    virtual void start(std::size_t index) = 0;
    // Does what can be done by now, without waiting.
    virtual void advance() {}
    // Until the sum is in its place; in the order of start(). Throws as ProcessGroup::wait() does.
    virtual void wait(std::size_t index) = 0;
};

} // namespace trainyard::train
