// SPDX-License-Identifier: GPL-3.0-or-later
// Random changes of training images: tensor operations on the device, for a whole batch at once.
#pragma once

#include "engine/spec/run/run_spec.h"
#include "engine/torch/data/dataset.h"

namespace trainyard::data {

inline bool isOn(const spec::Augment& augment) { return augment != spec::Augment{}; }

// Whether a batch's targets become shares of classes, which not every loss takes (optim::Loss::takesShares()).
inline bool mixesTargets(const spec::Augment& augment) { return augment.mixup > 0 || augment.cutmix > 0; }

// Input when the run file asks for changes and the dataset has no images, for more padding than an image is wide, for
// two kinds of windows, or to mix what are no classes.
Result<void> checkAugment(const spec::Augment& augment, const Dataset& dataset);

// Changes the batch's inputs (float32 [B, C, H, W], normalised as gather() does). Each image for itself: a window of
// its own size in it, moved by up to `crop` pixels either way, black (byte 0) around it; left to right with chance 1/2;
// with chance `erase` a rectangle of 2 to 33 % of its area and 0.3 to 3.3 times as high as wide set to the mean
// (Zhong et al., Random Erasing Data Augmentation, 2017, arXiv:1708.04896). Window and flip are those of He et al.,
// 2015, arXiv:1512.03385, section 4.2. Between them and `erase` come resizedCrop() and trivialAugment(), the latter on
// the images as bytes, and at last mixup and cutmix, mixed(), which leave float [B, classes] as targets: see augment/.
// Draws from the device's default generator, so the same state gives the same images; what is not asked for draws
// nothing.
void augmentBatch(Batch& batch, const spec::Augment& augment, const Dataset& dataset);

} // namespace trainyard::data
