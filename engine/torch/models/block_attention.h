// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace trainyard::models {

// How one head looks at a sequence.
struct AttentionRule {
    bool causal = false; // no position sees a later one
    double dropout = 0;  // of the weights; 0 outside of training
};

// Rule: when attention is computed in blocks.
// Where its weights, [B, heads, T, T], take more than 64 MiB; smaller models keep the bits that they always had.
bool needsBlocks(const torch::Tensor& q);

// softmax(q kᵀ / √e) v of [B, heads, T, e] each, by blocks of rows: never more than some 16 MiB of weights are in
// memory, and none is kept, as the backward pass computes them again (Rabe and Staats, Self-attention Does Not Need
// O(n²) Memory, 2021, arXiv:2112.05682). Equal to the plain computation but for rounding.
torch::Tensor attentionInBlocks(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v,
                                const AttentionRule& rule);

} // namespace trainyard::models
