// SPDX-License-Identifier: GPL-3.0-or-later
// Where each parameter lies in one flat buffer, and in what order the ranks' values of each element are added up.
#pragma once

#include <torch/torch.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trainyard::train {

// Consecutive elements of one parameter, at most kNormBlock of them.
struct FlatBlock {
    std::size_t parameter = 0;
    std::size_t offset = 0, count = 0; // in the flat buffer
    std::size_t firstPiece = 0, pieces = 0;
};

// Consecutive elements of a block whose sums have the same order: Gloo's ring (gloo/allreduce.cc; Patarasuk and Yuan,
// Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations, 2009) adds up the ranks' values of its part c
// as g[c-1] + g[c-2] + ... + g[c], and so must all who want its bits. `part` is that c.
struct FlatPiece {
    std::size_t offset = 0, count = 0, part = 0;
};

// The parameters that are complete at about the same time of a backward pass: they lie side by side.
struct FlatBucket {
    std::size_t offset = 0, count = 0; // in the flat buffer, padding included
    std::size_t parameters = 0;
    std::vector<std::size_t> blocks; // which of the layout's
};

// Where each parameter lies in a flat buffer, and how the buffer is cut into blocks.
struct FlatLayout {
    std::size_t floats = 0;            // of the whole buffer, a multiple of 16
    std::vector<std::size_t> offsets;  // of each parameter, a multiple of 16
    std::vector<std::size_t> bucketOf; // of each parameter
    std::vector<FlatBucket> buckets;
    std::vector<FlatBlock> blocks; // parameter by parameter, in the order of the parameters
    std::vector<FlatPiece> pieces;
};

// Parameters lie in the order of the buckets (planBuckets), which is about the order in which backward yields their
// gradients. `ranks` of a ring whose order is kept; 0 or 1: the order of the ranks.
FlatLayout planLayout(const std::vector<torch::Tensor>& parameters,
                      const std::vector<std::vector<std::size_t>>& buckets, std::size_t ranks);

// The elements at which the parts of Gloo's ring begin in a buffer of so many floats, and their end: ranks + 1 numbers.
std::vector<std::size_t> ringParts(std::size_t elements, std::size_t ranks);

// The part of a flat buffer from `offset` that holds one parameter (or its gradient), with the parameter's own strides:
// autograd and the optimizer then never copy between layouts.
torch::Tensor viewFor(const torch::Tensor& flat, const torch::Tensor& parameter, std::int64_t offset);

} // namespace trainyard::train
