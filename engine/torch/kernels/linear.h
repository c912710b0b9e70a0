// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/kernels/lora_matrices.h"

#include <torch/torch.h>

namespace trainyard::kernels {

// torch::nn::Linear with the same parameters, names and initialisation, whose products are computed by the kernels that
// useKernels() has set for this process. In their Stock mode, on another device or with another type it is
// torch::nn::Linear to the bit. Under autocast to bfloat16 the weights' gradients are float32 sums that were never
// rounded to bfloat16.
class LinearImpl : public torch::nn::LinearImpl, public Adaptable {
public:
    using torch::nn::LinearImpl::LinearImpl;
    torch::Tensor forward(const torch::Tensor& x);
    void adapt(const LoraOptions& options, at::Generator& generator) override;

private:
    LoraMatrices m_lora;
};
TORCH_MODULE(Linear);

// x[..., in] * w[out, in]^T + b (may be undefined), with gradients; what Linear computes.
torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& w, const torch::Tensor& b);

} // namespace trainyard::kernels
