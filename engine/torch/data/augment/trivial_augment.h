// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

#include <cstdint>

namespace trainyard::data {

// The 14 operations of TrivialAugment, in its order.
enum class ImageChange {
    Identity,
    ShearX,
    ShearY,
    TranslateX,
    TranslateY,
    Rotate,
    Brightness,
    Color,
    Contrast,
    Sharpness,
    Posterize,
    Solarize,
    AutoContrast,
    Equalize
};
inline constexpr std::int64_t kImageChanges = 14;
inline constexpr std::int64_t kStrengths = 31; // steps from nothing to the strongest

// One change of each image. `images`: float32 [B, C, H, W], bytes 0 to 255 without fractions, as the result;
// `strength` double [B], -30 to 30, negative the other way where a change has one. The strongest, of the wide space
// of TrivialAugment: shear 0.99 about the upper left corner, 32 pixels, 135 degrees about the middle, factors 0.01
// and 1.99 of brightness, colour, contrast and sharpness, 2 bits, solarized from 0. Pixels from outside are black,
// moved ones are the nearest. Colour is grey's distance with three channels, and nothing else.
torch::Tensor changedImages(const torch::Tensor& images, ImageChange change, const torch::Tensor& strength);

// A change at random for each image, of a strength at random (Müller, Hutter: TrivialAugment, 2021, arXiv:2103.10158,
// wide). `images` as above; changed in place. Draws from the CPU's default generator: which images go together must be
// known there.
void trivialAugment(torch::Tensor& images);

} // namespace trainyard::data
