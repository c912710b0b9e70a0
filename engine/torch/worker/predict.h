// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::train {

// What the model of a checkpoint says about inputs, as JSON: {"task", "inputs": [{"input", "label", "predictions":
// [{"class", "index", "probability"}, …]}]}, the likeliest first, at most `top`; for regression "outputs":
// [{"name", "value"}] in the units of the targets; for language the likeliest next tokens. "label" is there when it is
// known. Inputs:
//   data:train/17, data:validation/17, data:test/17   a sample of the run's own dataset
//   leaf.jpg, leaf.png                  an image, converted to the channels and the size that the model takes, with
//   the
//                                       normalisation of its training; in a folder named as a class, "label" is that
//                                       class
//   leaves/                             all images in a folder and in those below it, by name
//   rows.csv                            every row of numbers, one sample each (a first row of names is left out)
//   text:To be                          the beginning of a text
// Input: a bad checkpoint, an input that cannot be read or has another size than the model takes.
Result<std::string> predictJson(const std::filesystem::path& checkpoint, const std::vector<std::string>& inputs,
                                int top);

} // namespace trainyard::train
