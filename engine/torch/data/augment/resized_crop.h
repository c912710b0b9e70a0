// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

namespace trainyard::data {

// A window of each image [B, C, H, W], brought back to its size by bilinear interpolation: `least` to all of its area,
// 3/4 to 4/3 as wide as high where the image has room for that, anywhere in it (Szegedy et al., Going Deeper with
// Convolutions, 2014, arXiv:1409.4842). Draws from the device's default generator.
torch::Tensor resizedCrop(const torch::Tensor& images, double least);

} // namespace trainyard::data
