// SPDX-License-Identifier: GPL-3.0-or-later
// Low-rank matrices that are trained beside a weight that stays as it is (Hu and others, LoRA: Low-Rank Adaptation of
// Large Language Models, 2021, arXiv:2106.09685).
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace trainyard::kernels {

struct LoraOptions {
    std::int64_t rank = 0; // columns of B, rows of A
    double alpha = 16;     // the product counts alpha / rank times
    double dropout = 0;    // of what A is given, while training
};

// The two matrices of a layer: y + (alpha / rank) * B A dropout(x). A layer without them costs one test.
class LoraMatrices {
public:
    // Registers them with the layer, as lora_A.weight [rank, in], uniform within 1 / sqrt(in) as of torch.nn.Linear,
    // and lora_B.weight [out, rank], zero: at first the layer does what it did.
    void addTo(torch::nn::Module& layer, std::int64_t in, std::int64_t out, const LoraOptions& options,
               at::Generator& generator);
    // y as above; y as it is without matrices.
    torch::Tensor added(const torch::Tensor& y, const torch::Tensor& x, bool training) const;

private:
    torch::Tensor m_a, m_b;
    double m_factor = 0, m_dropout = 0;
};

// A layer that low-rank matrices can be added to, once.
class Adaptable {
public:
    virtual ~Adaptable() = default;
    virtual void adapt(const LoraOptions& options, at::Generator& generator) = 0;
};

} // namespace trainyard::kernels
