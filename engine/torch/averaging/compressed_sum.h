// SPDX-License-Identifier: GPL-3.0-or-later
// How a bucket of gradients travels where it does not go as it is.
#pragma once

#include "engine/base/result.h"
#include "engine/torch/group/process_group.h"
#include "engine/torch/optim/optimizer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::train {

enum class Compression { None, Fp16, Bf16, PowerSgd };

// Input: not a word of scaling.compression.
Result<Compression> compressionFromString(const std::string& word);

// What is compressed, and how.
struct CompressionOptions {
    std::string kind = "none";     // scaling.compression: none, fp16, bf16, powersgd
    std::int64_t rank = 2;         // of powersgd's matrices, from 1
    std::int64_t step = 0;         // optimizer steps done before
    optim::NamedTensors carried{}; // what shareCarried() gave before; the same on every rank
};

// The gradient of one parameter in a flat tensor, in the order of the parameter's memory.
struct FlatPart {
    std::string name;
    torch::Tensor parameter;
    std::int64_t offset = 0;
};

// A flat tensor that is summed as one.
struct Flat {
    torch::Tensor tensor;
    std::vector<FlatPart> parts;
};

// Sums flat float tensors over the ranks, in place, with fewer bytes on the way, while the caller does other things.
// Every rank gets the same bits, whatever comes when.
class CompressedSums {
public:
    // Null where they go as they are. Collective. `flats`, all on one device, stay as they are for as long as this
    // lives. Input: `kind` is none of them. Else the errors of ProcessGroup::subgroup().
    static Result<std::unique_ptr<CompressedSums>> make(const ProcessGroup& group, const CompressionOptions& options,
                                                        const std::vector<Flat>& flats);
    virtual ~CompressedSums() = default;
    // Begins with the sum of one tensor, which nobody touches until it was waited for. Every rank begins with the same
    // ones in the same order: all of them in each step, from the first to the last.
    virtual void start(std::size_t index) = 0;
    // Does what can be done by now, without waiting.
    virtual void advance() {}
    // Until the sum is in its place; in the order of start(). Throws as ProcessGroup::wait() does.
    virtual void wait(std::size_t index) = 0;
    // Collective, between two steps: what goes over from one step to the next, on the CPU and by name; it is the same
    // on every rank from here on. Sums made with it as CompressionOptions::carried go on with the same bits as these.
    virtual optim::NamedTensors shareCarried() { return {}; }
};

// Numbers of 16 bits on the way. They are added up in float32. The traffic is that of fp16_compress_hook and
// bf16_compress_hook (torch.distributed.algorithms.ddp_comm_hooks), which add up in 16 bits.
Result<std::unique_ptr<CompressedSums>> makeSixteenBitSums(const ProcessGroup& group, torch::ScalarType type,
                                                           const std::vector<Flat>& flats);

} // namespace trainyard::train
