// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/averaging/compressed_sum.h"
#include "engine/torch/averaging/flat_layout.h"
#include "engine/torch/averaging/gradient_averager.h"
#include "engine/torch/averaging/hosts_of_ranks.h"
#include "engine/torch/group/shared_segment.h"

#include <memory>
#include <vector>

namespace trainyard::train {

// What the ranks have agreed on before they average through shared memory.
struct SharedParts {
    std::shared_ptr<SharedSegment> segment; // its copy 0 holds the weights and slots of now
    FlatLayout layout;
    HostsOfRanks hosts;
    ProcessGroup between = ProcessGroup::single(); // the first ranks of the hosts
    std::unique_ptr<CompressedSums> compressed;    // on those, of the buckets, where they travel compressed
};

// Collective: the first rank of each host makes the memory, the others find it. Environment, the same on every rank:
// one of them could not.
Result<SharedParts> meetInMemory(const ProcessGroup& group, const HostsOfRanks& hosts, optim::Optimizer& optimizer,
                                 const AveragerOptions& options, Progress& progress);

// A float tensor over memory of the segment, which lives as long as the tensor does.
torch::Tensor tensorAt(const std::shared_ptr<SharedSegment>& segment, float* data, std::size_t count);

// The same of each bucket of the first rank's gradients.
std::vector<torch::Tensor> bucketsAt(const std::shared_ptr<SharedSegment>& segment, const FlatLayout& layout);

} // namespace trainyard::train
