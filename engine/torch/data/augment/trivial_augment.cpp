// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/augment/trivial_augment.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace trainyard::data {
namespace {

constexpr double kStrongest = static_cast<double>(kStrengths - 1);
constexpr double kMostShear = 0.99, kMostPixels = 32, kMostDegrees = 135, kMostFactor = 0.99, kWhite = 255;

torch::Tensor perImage(const torch::Tensor& numbers) { return numbers.view({-1, 1, 1, 1}); }

// Bytes again, by cutting off as PIL does.
torch::Tensor asBytes(const torch::Tensor& images) { return images.clamp(0, kWhite).floor_(); }

// Where each pixel's middle comes from, in pixels: x' = xx x + xy y + xo, y' = yx x + yy y + yo; all [B].
struct Origin {
    torch::Tensor xx, xy, xo, yx, yy, yo;
};

// The nearest pixel of there, or black.
torch::Tensor fetched(const torch::Tensor& images, const Origin& origin) {
    const std::int64_t batch = images.size(0), channels = images.size(1), height = images.size(2),
                       width = images.size(3);
    const auto options = origin.xx.options();
    const auto x = (torch::arange(width, options) + 0.5).view({1, 1, width}),
               y = (torch::arange(height, options) + 0.5).view({1, height, 1});
    const auto each = [](const torch::Tensor& numbers) { return numbers.view({-1, 1, 1}); };
    const auto column = (each(origin.xx) * x + each(origin.xy) * y + each(origin.xo)).floor();
    const auto row = (each(origin.yx) * x + each(origin.yy) * y + each(origin.yo)).floor();
    const auto inside =
        (column >= 0) & (column < static_cast<double>(width)) & (row >= 0) & (row < static_cast<double>(height));
    const auto index = (row.clamp(0, static_cast<double>(height - 1)) * static_cast<double>(width) +
                        column.clamp(0, static_cast<double>(width - 1)))
                           .to(torch::kInt64)
                           .view({batch, 1, height * width})
                           .expand({batch, channels, height * width});
    const auto moved = images.reshape({batch, channels, -1}).gather(2, index).view(images.sizes());
    return moved * inside.unsqueeze(1);
}

torch::Tensor sheared(const torch::Tensor& images, const torch::Tensor& strength, bool alongX) {
    const auto by = strength * (kMostShear / kStrongest), one = torch::ones_like(by), none = torch::zeros_like(by);
    if (alongX) return fetched(images, {one, by, none, none, one, none});
    return fetched(images, {one, none, none, by, one, none});
}

torch::Tensor translated(const torch::Tensor& images, const torch::Tensor& strength, bool alongX) {
    const auto by = (strength * (kMostPixels / kStrongest)).trunc(), one = torch::ones_like(by),
               none = torch::zeros_like(by);
    if (alongX) return fetched(images, {one, none, by, none, one, none});
    return fetched(images, {one, none, none, none, one, by});
}

torch::Tensor rotated(const torch::Tensor& images, const torch::Tensor& strength) {
    const auto angle = strength * (kMostDegrees / kStrongest * std::numbers::pi / 180);
    const auto cosine = angle.cos(), sine = angle.sin();
    const double x = static_cast<double>(images.size(3)) / 2, y = static_cast<double>(images.size(2)) / 2;
    return fetched(images, {cosine, -sine, x - cosine * x + sine * y, sine, cosine, y - sine * x - cosine * y});
}

// From `other` to the image and beyond, by 1 + strength.
torch::Tensor blended(const torch::Tensor& images, const torch::Tensor& other, const torch::Tensor& strength) {
    const auto factor = perImage(strength * (kMostFactor / kStrongest) + 1).to(images.scalar_type());
    return asBytes(other + factor * (images - other));
}

torch::Tensor greyOf(const torch::Tensor& images) {
    if (images.size(1) != 3) return images;
    return (images.select(1, 0) * 0.299 + images.select(1, 1) * 0.587 + images.select(1, 2) * 0.114)
        .floor()
        .unsqueeze(1);
}

// Each pixel with its neighbours, 5 to 1; those of the border stay.
torch::Tensor smoothed(const torch::Tensor& images) {
    const std::int64_t height = images.size(2), width = images.size(3);
    if (height < 3 || width < 3) return images;
    auto sum = images.narrow(2, 1, height - 2).narrow(3, 1, width - 2) * 4;
    for (std::int64_t y = 0; y < 3; ++y)
        for (std::int64_t x = 0; x < 3; ++x) sum += images.narrow(2, y, height - 2).narrow(3, x, width - 2);
    auto smooth = images.clone();
    smooth.narrow(2, 1, height - 2).narrow(3, 1, width - 2).copy_((sum / 13).round_());
    return smooth;
}

torch::Tensor posterized(const torch::Tensor& images, const torch::Tensor& strength) {
    const auto lost = (strength.abs() / (kStrongest / 6)).round(); // of 8 bits
    const auto step = perImage(torch::exp2(lost)).to(images.scalar_type());
    return (images / step).floor() * step;
}

torch::Tensor solarized(const torch::Tensor& images, const torch::Tensor& strength) {
    const auto from = perImage(kWhite - strength.abs() * (kWhite / kStrongest)).to(images.scalar_type());
    return torch::where(images >= from, kWhite - images, images);
}

// The darkest pixel of each channel black and the brightest white.
torch::Tensor stretched(const torch::Tensor& images) {
    const auto least = images.amin({2, 3}, /*keepdim=*/true), range = images.amax({2, 3}, /*keepdim=*/true) - least;
    const auto wide = asBytes((images - least) * (kWhite / range.clamp_min(1)));
    return torch::where(range > 0, wide, images);
}

// As many pixels of each brightness as far as that goes, channel by channel, as PIL does it.
torch::Tensor equalized(const torch::Tensor& images) {
    const std::int64_t planes = images.size(0) * images.size(1), pixels = images.size(2) * images.size(3);
    const auto values = images.reshape({planes, pixels}).to(torch::kInt64);
    const auto counts = torch::zeros({planes, 256}, values.options()).scatter_add_(1, values, torch::ones_like(values));
    const auto brightest = counts.gather(1, values.amax(1, /*keepdim=*/true));
    const auto step = (pixels - brightest).floor_divide(255); // brightness by which the next level begins
    const auto below = counts.cumsum(1) - counts;
    const auto level = (below + step.floor_divide(2)).floor_divide(step.clamp_min(1)).clamp(0, 255);
    const auto mapped = torch::where(step > 0, level.gather(1, values), values);
    return mapped.view(images.sizes()).to(images.scalar_type());
}

} // namespace

torch::Tensor changedImages(const torch::Tensor& images, ImageChange change, const torch::Tensor& strength) {
    switch (change) {
    case ImageChange::Identity: break;
    case ImageChange::ShearX: return sheared(images, strength, true);
    case ImageChange::ShearY: return sheared(images, strength, false);
    case ImageChange::TranslateX: return translated(images, strength, true);
    case ImageChange::TranslateY: return translated(images, strength, false);
    case ImageChange::Rotate: return rotated(images, strength);
    case ImageChange::Brightness: return blended(images, torch::zeros_like(images), strength);
    case ImageChange::Color: return blended(images, greyOf(images), strength);
    case ImageChange::Contrast:
        return blended(images, greyOf(images).mean({1, 2, 3}, /*keepdim=*/true).round(), strength);
    case ImageChange::Sharpness: return blended(images, smoothed(images), strength);
    case ImageChange::Posterize: return posterized(images, strength);
    case ImageChange::Solarize: return solarized(images, strength);
    case ImageChange::AutoContrast: return stretched(images);
    case ImageChange::Equalize: return equalized(images);
    }
    return images;
}

void trivialAugment(torch::Tensor& images) {
    const std::int64_t batch = images.size(0);
    const auto changes = torch::randint(0, kImageChanges, {batch}, torch::kInt64),
               strengths = torch::randint(0, kStrengths, {batch}, torch::kInt64),
               signs = torch::randint(0, 2, {batch}, torch::kInt64) * 2 - 1;
    const auto signedStrengths = (strengths * signs).to(torch::kFloat64);
    for (std::int64_t change = 1; change < kImageChanges; ++change) {
        const auto of = changes.eq(change).nonzero().squeeze(1);
        if (of.size(0) == 0) continue;
        const auto there = of.to(images.device()), strength = signedStrengths.index_select(0, of).to(images.device());
        images.index_copy_(0, there,
                           changedImages(images.index_select(0, there), static_cast<ImageChange>(change), strength));
    }
}

} // namespace trainyard::data
