// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/base/arguments.h"
#include "engine/torch/kernels/linear.h"
#include "engine/torch/models/model.h"

namespace trainyard::models {

// Attention of a sequence to itself, [B, T, width] -> the same, with the parameters and initial values of
// torch.nn.MultiheadAttention (Vaswani et al., Attention Is All You Need, 2017, arXiv:1706.03762):
// in_proj_weight, in_proj_bias, out_proj. Causal: no position sees a later one.
class SelfAttentionImpl final : public torch::nn::Module, public kernels::Adaptable {
public:
    SelfAttentionImpl(std::int64_t width, std::int64_t heads, bool causal, double dropout);
    torch::Tensor forward(const torch::Tensor& x);
    // Low-rank matrices of in_proj_weight, for queries, keys and values together.
    void adapt(const kernels::LoraOptions& options, at::Generator& generator) override;

private:
    torch::Tensor attention(const torch::Tensor& q, const torch::Tensor& k, const torch::Tensor& v);
    torch::Tensor later(const torch::Tensor& q);

    std::int64_t m_heads;
    bool m_causal;
    double m_dropout;
    torch::Tensor m_inWeight, m_inBias;
    kernels::LoraMatrices m_inLora;
    torch::Tensor m_later; // the mask of the newest length, which is no part of the state
    kernels::Linear m_out{nullptr};
};
TORCH_MODULE(SelfAttention);

// What transformers have in common: width, depth, heads and dropout. `widthHelp`: of a row of that width.
std::vector<spec::ParamInfo> attentionParams(std::int64_t width, double mostWidth, const char* widthHelp,
                                             std::int64_t depth, std::int64_t heads);

// Kind Input unless "width" is a multiple of "heads".
Result<void> checkHeads(const train::Arguments& arguments);

} // namespace trainyard::models
