// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/data/dataset.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace trainyard::data {

// One image file as a sample of the shape [C, H, W], uint8, converted and resized as the dataset of images does.
// `crop`: cut to the shape, else stretched. Input: neither PNG nor JPEG, damaged, or a shape of neither 1 nor 3
// channels.
Result<torch::Tensor> loadImage(const std::filesystem::path& file, const std::vector<std::int64_t>& shape, bool crop);

// The same of a file in memory, which `name` stands for.
Result<torch::Tensor> decodeImage(std::span<const std::uint8_t> bytes, const std::string& name,
                                  const std::vector<std::int64_t>& shape, bool crop);

// The set of images as it was listed when a run began to train on it, where this computer has kept that listing
// (kept_listing.h) under the digest, Dataset::digest of then; none: it has not. Samples, their parts and
// their order are those of then. What was deleted since or has another size is as it was where its decoded bytes are
// kept; else it counts as unreadable by the rules, and another sample takes its place, by the loader's rule. What was
// added is not used; not `mayBeMore`: with something added the answer is none, too. Errors of data::loadDataset().
Result<std::optional<Dataset>> imagesAsListed(const spec::Choice& choice, std::int64_t seed, train::TaskKind task,
                                              const spec::DataRules& rules, const std::string& digest, bool mayBeMore);

bool hasImageName(const std::filesystem::path& file); // .png, .jpg, .jpeg, .jfif and the like

// The files so named in a folder and in the folders below it, by name; hidden ones are passed over. Input: there are
// none. Environment: a folder cannot be read.
Result<std::vector<std::filesystem::path>> imagesBelow(const std::filesystem::path& folder);

} // namespace trainyard::data
