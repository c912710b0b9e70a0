// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/data/augment.h"

#include "engine/spec/run/field_use.h"
#include "engine/torch/data/augment/mixed_batch.h"
#include "engine/torch/data/augment/resized_crop.h"
#include "engine/torch/data/augment/trivial_augment.h"

#include <cmath>

namespace trainyard::data {

namespace {

// Each image with `padding` black pixels around it: [B, C, H, W] -> [B, C, H + 2p, W + 2p].
torch::Tensor padded(const torch::Tensor& images, std::int64_t padding, const Dataset& dataset) {
    const std::int64_t height = images.size(2), width = images.size(3);
    std::vector<double> black; // what gather() makes of byte 0
    for (std::size_t c = 0; c < dataset.mean.size(); ++c) black.push_back(-dataset.mean[c] / dataset.stddev[c]);
    const auto fill = torch::tensor(black, images.options()).view({1, -1, 1, 1});
    auto out = fill.expand({images.size(0), images.size(1), height + 2 * padding, width + 2 * padding}).clone();
    out.narrow(2, padding, height).narrow(3, padding, width).copy_(images);
    return out;
}

// Cropping and flipping only move pixels: one gather does both.
torch::Tensor moved(const torch::Tensor& images, const spec::Augment& augment, const Dataset& dataset) {
    const std::int64_t batch = images.size(0), channels = images.size(1), height = images.size(2),
                       width = images.size(3);
    const auto whole = torch::TensorOptions(torch::kInt64).device(images.device());
    const std::int64_t padding = augment.crop;
    torch::Tensor from = images;
    torch::Tensor rows = torch::arange(height, whole).view({1, height, 1});
    torch::Tensor columns = torch::arange(width, whole).view({1, 1, width});
    if (augment.flip) {
        const auto flipped = torch::randint(0, 2, {batch, 1, 1}, whole);
        columns = columns + flipped * (width - 1 - 2 * columns);
    }
    if (padding > 0) {
        from = padded(images, padding, dataset);
        rows = rows + torch::randint(0, 2 * padding + 1, {batch, 1, 1}, whole);
        columns = columns + torch::randint(0, 2 * padding + 1, {batch, 1, 1}, whole);
    }
    const auto index =
        (rows * from.size(3) + columns).expand({batch, height, width}).reshape({batch, 1, height * width});
    return from.reshape({batch, channels, -1})
        .gather(2, index.expand({batch, channels, height * width}))
        .view({batch, channels, height, width});
}

void erase(torch::Tensor& images, double chance) {
    constexpr double kLeastArea = 0.02, kMostArea = 0.33, kLeastRatio = 0.3, kMostRatio = 3.3;
    const std::int64_t batch = images.size(0), height = images.size(2), width = images.size(3);
    const auto options = images.options().dtype(torch::kFloat32);
    const auto drawn = torch::rand({5, batch, 1, 1}, options);
    const auto area = (drawn[0] * (kMostArea - kLeastArea) + kLeastArea) * static_cast<double>(height * width);
    const auto ratio = (drawn[1] * std::log(kMostRatio / kLeastRatio) + std::log(kLeastRatio)).exp();
    const auto high = (area * ratio).sqrt().round().clamp(1, static_cast<double>(height));
    const auto wide = (area / ratio).sqrt().round().clamp(1, static_cast<double>(width));
    const auto top = (drawn[2] * (static_cast<double>(height) - high + 1)).floor();
    const auto left = (drawn[3] * (static_cast<double>(width) - wide + 1)).floor();
    const auto y = torch::arange(height, options).view({1, height, 1}),
               x = torch::arange(width, options).view({1, 1, width});
    const auto inside = (drawn[4] < chance) & (y >= top) & (y < top + high) & (x >= left) & (x < left + wide);
    images.masked_fill_(inside.unsqueeze(1), 0.0); // 0 is the mean of normalised images
}

// One number for each channel of a batch.
torch::Tensor ofChannels(const std::vector<double>& numbers, const torch::Tensor& images) {
    return torch::tensor(numbers, images.options()).view({1, -1, 1, 1});
}

// Its changes are those of bytes; back again as gather() does it, so that what is not changed keeps its bits.
torch::Tensor triviallyAugmented(const torch::Tensor& images, const Dataset& dataset) {
    const auto mean = ofChannels(dataset.mean, images), stddev = ofChannels(dataset.stddev, images);
    auto bytes = images.mul(stddev).add_(mean).mul_(255.0).round_().clamp_(0, 255);
    trivialAugment(bytes);
    return bytes.div_(255.0).sub_(mean).div_(stddev);
}

Result<void> checkMixing(const spec::Augment& augment, const Dataset& dataset) {
    if (!mixesTargets(augment)) return {};
    const char* field = augment.mixup > 0 ? "augment.mixup" : "augment.cutmix";
    if (const auto refusal = spec::whyUnused(field, toString(dataset.task), nullptr))
        return inputError(refusal->why, field, refusal->remedy);
    return {};
}

} // namespace

Result<void> checkAugment(const spec::Augment& augment, const Dataset& dataset) {
    if (!isOn(augment)) return {};
    if (!dataset.ofPictures())
        return inputError("changes images, and the dataset has none", "augment",
                          "remove augment, or choose a dataset of images");
    if (augment.crop > std::min(dataset.sampleShape[1], dataset.sampleShape[2]))
        return inputError(std::to_string(augment.crop) + " pixels of padding are more than an image's " +
                              std::to_string(dataset.sampleShape[1]) + " x " + std::to_string(dataset.sampleShape[2]),
                          "augment.crop", "use a smaller one, such as 4 for 32 x 32");
    if (augment.crop > 0 && augment.resizedCrop > 0)
        return inputError("cuts a window out of each image, and so does augment.crop", "augment.resizedCrop",
                          "remove one of the two");
    return checkMixing(augment, dataset);
}

void augmentBatch(Batch& batch, const spec::Augment& augment, const Dataset& dataset) {
    if (!isOn(augment) || batch.inputs.size(0) == 0) return;
    const torch::NoGradGuard noGrad;
    if (augment.crop > 0 || augment.flip) batch.inputs = moved(batch.inputs, augment, dataset);
    // Of streamed pictures it was cut out of the whole picture: BatchLoader.
    if (augment.resizedCrop > 0 && !dataset.train.isStreamed())
        batch.inputs = resizedCrop(batch.inputs, augment.resizedCrop);
    if (augment.policy == "trivial") batch.inputs = triviallyAugmented(batch.inputs, dataset);
    if (augment.erase > 0) erase(batch.inputs, augment.erase);
    if (!mixesTargets(augment)) return;
    const torch::Tensor classes =
        batch.targets.dim() == 1 ? torch::one_hot(batch.targets, dataset.classes) : batch.targets;
    auto both = mixed(batch.inputs, classes.to(torch::kFloat32), {.mixup = augment.mixup, .cutmix = augment.cutmix});
    batch = {std::move(both.images), std::move(both.targets)};
}

} // namespace trainyard::data
