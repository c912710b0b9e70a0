// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"

#include <filesystem>
#include <span>

namespace trainyard::data {

// One image file as a sample of the shape [C, H, W], uint8, converted and resized as the dataset of images does.
// `crop`: cut to the shape, else stretched. Input: neither PNG nor JPEG, damaged, or a shape of neither 1 nor 3
// channels.
Result<torch::Tensor> loadImage(const std::filesystem::path& file, const std::vector<std::int64_t>& shape, bool crop);

// The same of a file in memory, which `name` stands for.
Result<torch::Tensor> decodeImage(std::span<const std::uint8_t> bytes, const std::string& name,
                                  const std::vector<std::int64_t>& shape, bool crop);

bool hasImageName(const std::filesystem::path& file); // .png, .jpg, .jpeg, .jfif and the like

// The files so named in a folder and in the folders below it, by name; hidden ones are passed over. Input: there are
// none. Environment: a folder cannot be read.
Result<std::vector<std::filesystem::path>> imagesBelow(const std::filesystem::path& folder);

} // namespace trainyard::data
