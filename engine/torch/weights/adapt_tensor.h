// SPDX-License-Identifier: GPL-3.0-or-later
// How values of one shape become those of another: pure functions of tensors.
#pragma once

#include <torch/torch.h>

#include <optional>
#include <string>
#include <vector>

namespace trainyard::weights {

struct Adapted {
    torch::Tensor values;
    std::string how; // for people; empty: they are as they were
};

// Positions of a vision transformer, [1, 1 + patches, width] with that of the class token first: the others are a
// square of patches in the file, and `rows` x `columns` in the model. Bicubic between the corners, as torchvision's
// interpolate_embeddings() does it. Nothing: they are no square, or of another width.
std::optional<Adapted> resampledPositions(const torch::Tensor& file, std::int64_t rows, std::int64_t columns,
                                          at::IntArrayRef wanted);

// Positions of a text, [tokens, width]: the first ones. Nothing: there are too few.
std::optional<Adapted> firstPositions(const torch::Tensor& file, at::IntArrayRef wanted);

// A convolution's weight [filters, channels, height, width] for other channels: for one the sum over the file's, for
// others those repeated, times old over new channels, so that the same brightness in all gives the same output (timm's
// adapt_input_conv()). Nothing: the rest of the shape differs.
std::optional<Adapted> otherChannels(const torch::Tensor& file, at::IntArrayRef wanted);

} // namespace trainyard::weights
