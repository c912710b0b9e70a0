// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

namespace trainyard::data {

// How images are mixed in pairs: the parameters alpha of Beta(alpha, alpha), by which shares are drawn; 0: not so. With
// both, each batch is mixed in one of the two ways, with chance 1/2.
struct Mixing {
    double mixup = 0, cutmix = 0;
};

// Images [B, C, H, W] and what they show: float [B, classes], whose rows add up to what they did before.
struct MixedBatch {
    torch::Tensor images, targets;
};

// Each image with the next one of the batch, the last with the first, in a share of its own:
//   mixup:  the images are added, weighted by their shares (Zhang et al., 2017, arXiv:1710.09412);
//   cutmix: a rectangle as wide and high by proportion as the image is that of the other one, around any place, cut off
//           at the border; what is left of it is the share (Yun et al., CutMix, 2019, arXiv:1905.04899).
// The targets are mixed in the same shares. Draws from the device's default generator, which way from the CPU's.
MixedBatch mixed(const torch::Tensor& images, const torch::Tensor& targets, const Mixing& mixing);

} // namespace trainyard::data
