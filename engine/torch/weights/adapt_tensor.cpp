// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/weights/adapt_tensor.h"

#include <cmath>

namespace trainyard::weights {

std::optional<Adapted> resampledPositions(const torch::Tensor& file, std::int64_t rows, std::int64_t columns,
                                          at::IntArrayRef wanted) {
    if (file.dim() != 3 || wanted.size() != 3 || file.size(0) != 1 || file.size(2) != wanted[2] || file.size(1) < 2 ||
        rows * columns + 1 != wanted[1])
        return std::nullopt;
    const std::int64_t patches = file.size(1) - 1, width = file.size(2);
    const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(patches))));
    if (side * side != patches) return std::nullopt;
    const auto square = file.slice(1, 1).permute({0, 2, 1}).reshape({1, width, side, side});
    const auto resized = torch::upsample_bicubic2d(square, {rows, columns}, /*align_corners=*/true);
    const auto rest = resized.reshape({1, width, rows * columns}).permute({0, 2, 1});
    const auto text = [](std::int64_t a, std::int64_t b) { return std::to_string(a) + " x " + std::to_string(b); };
    return Adapted{torch::cat({file.slice(1, 0, 1), rest}, 1),
                   text(side, side) + " positions resampled to " + text(rows, columns)};
}

std::optional<Adapted> firstPositions(const torch::Tensor& file, at::IntArrayRef wanted) {
    if (file.dim() != 2 || wanted.size() != 2 || file.size(1) != wanted[1] || file.size(0) < wanted[0])
        return std::nullopt;
    return Adapted{file.slice(0, 0, wanted[0]),
                   "the first " + std::to_string(wanted[0]) + " of " + std::to_string(file.size(0)) + " positions"};
}

std::optional<Adapted> otherChannels(const torch::Tensor& file, at::IntArrayRef wanted) {
    if (file.dim() != 4 || wanted.size() != 4 || file.size(1) < 1) return std::nullopt;
    if (file.size(0) != wanted[0] || file.size(2) != wanted[2] || file.size(3) != wanted[3]) return std::nullopt;
    const std::int64_t before = file.size(1), now = wanted[1];
    const std::string of = std::to_string(before) + " channels ";
    if (now == 1) return Adapted{file.sum(1, /*keepdim=*/true), of + "added up to one"};
    const auto repeated = file.repeat({1, (now + before - 1) / before, 1, 1}).slice(1, 0, now);
    return Adapted{repeated * (static_cast<double>(before) / static_cast<double>(now)),
                   of + "repeated for " + std::to_string(now)};
}

} // namespace trainyard::weights
