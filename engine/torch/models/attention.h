// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/arguments.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/model.h"

namespace trainyard::models {

// Attention of a sequence to itself, [B, T, width] -> the same, with the parameters of Python's MultiheadAttention:
// in_proj_weight, in_proj_bias, out_proj. Causal: no place sees a later one.
class SelfAttentionImpl final : public torch::nn::Module {
public:
    SelfAttentionImpl(std::int64_t width, std::int64_t heads, bool causal, double dropout);
    torch::Tensor forward(const torch::Tensor& x);

private:
    std::int64_t m_heads;
    bool m_causal;
    double m_dropout;
    torch::Tensor m_inWeight, m_inBias;
    kernels::Linear m_out{nullptr};
};
TORCH_MODULE(SelfAttention);

// Kind Input unless "width" is a multiple of "heads".
Result<void> checkHeads(const train::Arguments& arguments);

} // namespace trainyard::models
