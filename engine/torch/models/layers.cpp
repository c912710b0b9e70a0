// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/models/layers.h"

#include <cmath>
#include <numbers>

namespace trainyard::models {

torch::nn::Conv2d convolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride,
                              std::int64_t groups) {
    return torch::nn::Conv2d(
        torch::nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).groups(groups).bias(false));
}

void initialiseConvolutions(torch::nn::Module& module) {
    for (const auto& part : module.modules(/*include_self=*/false)) {
        auto* conv = part->as<torch::nn::Conv2d>();
        if (!conv) continue;
        torch::nn::init::kaiming_normal_(conv->weight, 0.0, torch::kFanOut, torch::kReLU);
        if (conv->bias.defined()) torch::nn::init::zeros_(conv->bias);
    }
}

std::int64_t wholeChannels(double wanted) {
    const auto nearest = std::max<std::int64_t>(8, static_cast<std::int64_t>(wanted + 4.0) / 8 * 8);
    return static_cast<double>(nearest) < 0.9 * wanted ? nearest + 8 : nearest;
}

torch::Tensor dropPath(const torch::Tensor& x, double probability, bool training) {
    if (!training || probability == 0) return x;
    std::vector<std::int64_t> shape(static_cast<std::size_t>(x.dim()), 1);
    shape[0] = x.size(0);
    return x * torch::empty(shape, x.options()).bernoulli_(1 - probability).div_(1 - probability);
}

spec::ParamInfo dropPathInfo(double defaultValue) {
    return {.name = "dropPath",
            .title = Engine::tr("Stochastic depth"),
            .defaultValue = defaultValue,
            .min = 0.0,
            .max = 0.95,
            .help = Engine::tr("How often training skips the last block. Earlier blocks are skipped less often.")};
}

spec::ParamInfo headDropoutInfo(double defaultValue) {
    return {.name = "dropout",
            .title = Engine::tr("Dropout"),
            .defaultValue = defaultValue,
            .min = 0.0,
            .max = 0.95,
            .help = Engine::tr("Share of the inputs of the last layer set to zero while training.")};
}

spec::ParamInfo widthFactorInfo() {
    return {.name = "width",
            .title = Engine::tr("Width"),
            .defaultValue = 1.0,
            .min = 0.1,
            .max = 4.0,
            .logScale = true,
            .help = Engine::tr("Multiplies all channel counts.")};
}

void truncatedNormal(torch::Tensor& tensor, double stddev) {
    const torch::NoGradGuard noGradients;
    // The distribution function at the cuts, then its inverse of a uniform number between them.
    const auto below = [stddev](double x) { return (1.0 + std::erf(x / stddev / std::numbers::sqrt2)) / 2.0; };
    const double low = below(-2.0), high = below(2.0);
    tensor.uniform_(2 * low - 1, 2 * high - 1).erfinv_().mul_(stddev * std::numbers::sqrt2).clamp_(-2.0, 2.0);
}

Result<void> needsImages(const spec::Choice& choice, const ModelContext& context) {
    if (context.sampleShape.size() == 3) return {};
    return inputError(choice.name + " needs images, and the dataset has vectors", "model.name", "use mlp");
}

} // namespace trainyard::models
