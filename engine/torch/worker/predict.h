// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/torch/worker/sample_reader.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::train {

// How much is said about an input.
struct PredictOptions {
    int top = 5;            // classes or next tokens, the likeliest first
    int continueBy = 0;     // tokens to add to a text, one after the other
    double temperature = 0; // of those: 0 takes the likeliest each time, 1 draws by the model's probabilities
    std::int64_t seed = 1;  // of the draws; the same seed gives the same text
    bool seen = false;      // images: also the pixels that the model is given
};

// What the model of a checkpoint says about inputs, as JSON: {"task", "inputs": [{"input", "label", "predictions":
// [{"class", "index", "probability"}, …]}]}, the likeliest first, at most `top`; for regression "outputs":
// [{"name", "value", "digits"}] in the units of the targets, with the number of digits that are worth printing; for
// language the likeliest next tokens, and "continuation" where one is asked for. "label" is there when it is known.
// Inputs:
//   data:train/17, data:validation/17, data:test/17   a sample of the run's own dataset
//   leaf.jpg, leaf.png                  an image, converted to the channels and the size that the model takes, with
//                                       the normalisation of its training; in a folder named as a class, "label" is
//                                       that class
//   leaves/                             all images in a folder and in those below it, by name
//   rows.csv, rows.tsv.gz, …            every row of a table: columns by name in any order, words as in training,
// others
//                                       passed over; "label", or "targets" of regression, where the table has them
//   row:5.1,3.5,red                     one row: the cells in the order of the columns
//   text:To be                          the beginning of a text
// Input: a bad checkpoint, an input that cannot be read or has another size than the model takes.
Result<std::string> predictJson(const std::filesystem::path& checkpoint, const std::vector<std::string>& inputs,
                                const PredictOptions& options);

// What is said about one input, as a member of "inputs" above: `output` is what the model gives for it, without the
// batch. Throws what LibTorch throws.
nlohmann::json answerOf(const Sample& sample, torch::Tensor output, const TrainedModel& trained,
                        const PredictOptions& options);

// The same of a model that is loaded, with the dataset that `datasets` keeps.
Result<nlohmann::json> predictions(const TrainedModel& trained, KeptDataset& datasets,
                                   const std::vector<std::string>& inputs, const PredictOptions& options);

} // namespace trainyard::train
