// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/kernels/lora_matrices.h"

#include "engine/store/files/adapter_names.h"
#include "engine/torch/kernels/linear.h"

#include <cmath>
#include <memory>
#include <string>

namespace trainyard::kernels {
namespace {

torch::Tensor registered(torch::nn::Module& layer, std::string_view name, torch::Tensor values) {
    const auto matrix = layer.register_module(std::string(name), std::make_shared<torch::nn::Module>("LoraMatrices"));
    return matrix->register_parameter("weight", std::move(values));
}

} // namespace

void LoraMatrices::addTo(torch::nn::Module& layer, std::int64_t in, std::int64_t out, const LoraOptions& options,
                         at::Generator& generator) {
    const double bound = 1 / std::sqrt(static_cast<double>(in));
    m_a = registered(layer, store::kLoraA, torch::empty({options.rank, in}).uniform_(-bound, bound, generator));
    m_b = registered(layer, store::kLoraB, torch::zeros({out, options.rank}));
    m_factor = options.alpha / static_cast<double>(options.rank);
    m_dropout = options.dropout;
}

torch::Tensor LoraMatrices::added(const torch::Tensor& y, const torch::Tensor& x, bool training) const {
    if (!m_a.defined()) return y;
    const torch::Tensor none, narrow = linear(torch::dropout(x, m_dropout, training), m_a, none);
    return y + linear(narrow, m_b, none) * m_factor;
}

} // namespace trainyard::kernels
