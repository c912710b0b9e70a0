// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/averaging/gradient_norm.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace trainyard::train {

double sumOfSquares(const float* values, std::size_t count) {
    constexpr std::size_t kLanes = 16; // sums side by side, which the compiler turns into vectors
    std::array<double, kLanes> sums{};
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const double value = values[i + lane];
            sums[lane] += value * value;
        }
    for (std::size_t lane = 0; i < count; ++i, ++lane) {
        const double value = values[i];
        sums[lane] += value * value;
    }
    for (std::size_t half = kLanes / 2; half > 0; half /= 2)
        for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
    return sums[0];
}

namespace {

// Float64 [], by few kernels. Of half precision in float32: the sum of many squares would overflow, or lose the small.
torch::Tensor normOf(std::vector<torch::Tensor> gradients) {
    for (auto& gradient : gradients)
        if (gradient.scalar_type() != torch::kDouble) gradient = gradient.to(torch::kFloat);
    return torch::stack(at::_foreach_norm(gradients, 2)).to(torch::kDouble).square().sum().sqrt();
}

} // namespace

torch::Tensor gradientNormOnDevice(const optim::NamedTensors& parameters) {
    const torch::NoGradGuard noGrad;
    std::vector<torch::Tensor> gradients;
    for (const auto& [name, parameter] : parameters) {
        const torch::Tensor& gradient = parameter.grad();
        if (!gradient.defined()) continue;
        if (gradient.is_cpu()) return {};
        gradients.push_back(gradient);
    }
    return gradients.empty() ? torch::Tensor() : normOf(std::move(gradients));
}

double gradientNorm(const optim::NamedTensors& parameters) {
    const torch::NoGradGuard noGrad;
    double total = 0;
    std::vector<torch::Tensor> elsewhere; // gradients on a device, which is waited for once
    for (const auto& [name, parameter] : parameters) {
        torch::Tensor gradient = parameter.grad();
        if (!gradient.defined()) continue;
        if (!gradient.is_cpu() || gradient.scalar_type() != torch::kFloat) {
            if (gradient.is_cpu()) total += gradient.to(torch::kDouble).square().sum().item<double>();
            else elsewhere.push_back(gradient);
            continue;
        }
        // In the order of the parameter's memory, whatever the layout that autograd chose for the gradient.
        if (gradient.strides() != parameter.strides() || !gradient.is_non_overlapping_and_dense())
            gradient = torch::empty_like(parameter).copy_(gradient);
        const auto* values = gradient.data_ptr<float>();
        const auto count = static_cast<std::size_t>(gradient.numel());
        for (std::size_t begin = 0; begin < count; begin += kNormBlock)
            total += sumOfSquares(values + begin, std::min(kNormBlock, count - begin));
    }
    if (!elsewhere.empty()) total += normOf(std::move(elsewhere)).square().item<double>();
    return std::sqrt(total);
}

float clipFactor(double norm, double limit) {
    return limit > 0 ? static_cast<float>(std::min(1.0, limit / (norm + 1e-6))) : 1.0F;
}

} // namespace trainyard::train
