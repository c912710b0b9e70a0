// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/augment/resized_crop.h"

#include <cmath>

namespace trainyard::data {

torch::Tensor resizedCrop(const torch::Tensor& images, double least) {
    constexpr double kLeastWide = 3.0 / 4, kMostWide = 4.0 / 3; // width by height
    const std::int64_t batch = images.size(0);
    const double height = static_cast<double>(images.size(2)), width = static_cast<double>(images.size(3));
    const auto drawn = torch::rand({4, batch}, images.options().dtype(torch::kFloat32));
    const auto area = (drawn[0] * (1 - least) + least) * (height * width);
    const auto shape = (drawn[1] * std::log(kMostWide / kLeastWide) + std::log(kLeastWide)).exp();
    const auto wide = (area * shape).sqrt().clamp_max(width), high = (area / shape).sqrt().clamp_max(height);
    // From the places of the result, -1 to 1, to those in the image: a factor, and where the middle lies.
    const auto across = wide / width, down = high / height;
    const auto none = torch::zeros_like(across);
    const auto x = (drawn[2] * 2 - 1) * (1 - across), y = (drawn[3] * 2 - 1) * (1 - down);
    const auto map = torch::stack({torch::stack({across, none, x}, 1), torch::stack({none, down, y}, 1)}, 1);
    const auto grid = at::affine_grid_generator(map, images.sizes(), /*align_corners=*/false);
    constexpr std::int64_t kBilinear = 0, kBorder = 1;
    return at::grid_sampler(images, grid.to(images.scalar_type()), kBilinear, kBorder, /*align_corners=*/false);
}

} // namespace trainyard::data
