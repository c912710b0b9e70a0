// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/augment/mixed_batch.h"

namespace trainyard::data {
namespace {

// The share of an image in its pair, for each of the batch: float32 [B].
torch::Tensor pairShares(std::int64_t batch, double alpha, const torch::Device& device) {
    const auto parameters =
        torch::full({batch, 2}, alpha, torch::TensorOptions(torch::kFloat64).device(device)); // Beta, for two
    return at::_sample_dirichlet(parameters).select(1, 0).nan_to_num(0.5).clamp(0, 1).to(torch::kFloat32);
}

// The next image of the batch for each, the last with the first.
torch::Tensor partnersOf(const torch::Tensor& values) { return values.roll(1, 0); }

MixedBatch mixup(const torch::Tensor& images, const torch::Tensor& targets, double alpha) {
    const auto share = pairShares(images.size(0), alpha, images.device());
    const auto ofImage = share.view({-1, 1, 1, 1}).to(images.scalar_type()), ofTarget = share.view({-1, 1});
    return {at::lerp(partnersOf(images), images, ofImage), at::lerp(partnersOf(targets), targets, ofTarget)};
}

MixedBatch cutmix(const torch::Tensor& images, const torch::Tensor& targets, double alpha) {
    const std::int64_t batch = images.size(0), height = images.size(2), width = images.size(3);
    const auto options = torch::TensorOptions(torch::kFloat32).device(images.device());
    const auto side = (1 - pairShares(batch, alpha, images.device())).sqrt();
    const auto drawn = torch::rand({2, batch}, options);
    // Borders are whole pixels, as the share is counted in them.
    const auto borders = [&](const torch::Tensor& place, std::int64_t size) {
        const auto middle = place * static_cast<double>(size), half = side * static_cast<double>(size) / 2;
        const auto clamped = [&](const torch::Tensor& at) {
            return at.round().clamp(0, static_cast<double>(size)).view({-1, 1, 1});
        };
        return std::pair(clamped(middle - half), clamped(middle + half));
    };
    const auto [top, bottom] = borders(drawn[0], height);
    const auto [left, right] = borders(drawn[1], width);
    const auto y = torch::arange(height, options).view({1, height, 1}),
               x = torch::arange(width, options).view({1, 1, width});
    const auto inside = (y >= top) & (y < bottom) & (x >= left) & (x < right);
    const auto cut = ((bottom - top) * (right - left)).view({-1, 1}) / static_cast<double>(height * width);
    return {torch::where(inside.unsqueeze(1), partnersOf(images), images),
            at::lerp(targets, partnersOf(targets), cut.to(targets.scalar_type()))};
}

} // namespace

MixedBatch mixed(const torch::Tensor& images, const torch::Tensor& targets, const Mixing& mixing) {
    bool pastes = mixing.cutmix > 0;
    if (pastes && mixing.mixup > 0) pastes = torch::randint(0, 2, {1}, torch::kInt64).item<std::int64_t>() == 1;
    return pastes ? cutmix(images, targets, mixing.cutmix) : mixup(images, targets, mixing.mixup);
}

} // namespace trainyard::data
