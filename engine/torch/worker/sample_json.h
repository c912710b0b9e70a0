// SPDX-License-Identifier: GPL-3.0-or-later
// One sample of a dataset as JSON, as previews and answers show it.
#pragma once

#include "engine/torch/data/dataset.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace trainyard::train {

// The digits that tell numbers of this mean and deviation apart: six, and more far from 0, as seconds since 1970 are.
int digitsOf(double mean, double stddev);
// An image [C, H, W] of bytes as base64 of its pixels row by row, channels last. Sides of more than 128 pixels are
// subsampled: thumbnailSide() tells what is left of side 1 or 2.
std::string pixelsOf(const torch::Tensor& image);
std::int64_t thumbnailSide(const std::vector<std::int64_t>& sampleShape, std::size_t side);
// The first `most` features of a row, as they were before standardisation, to six digits; and the names of as many.
nlohmann::json valuesOf(const data::Dataset& dataset, const torch::Tensor& features, std::int64_t most);
nlohmann::json columnsOf(const data::Dataset& dataset, std::int64_t most);
// The name of the sample's class, or its targets as text.
std::string targetOf(const data::Dataset& dataset, const data::Split& split, std::int64_t sample);
// A window of tokens as text; it may begin or end within a character.
std::string textOf(const std::vector<std::string>& names, const TokenLayout& layout, const torch::Tensor& window);

} // namespace trainyard::train
