// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a model's parameters are trained, and how fast: names alone.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/run_spec.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace trainyard::train {

// What the run file's "finetune" says of a model.
struct TrainedParts {
    std::set<std::string> frozen;          // parameters
    std::map<std::string, double> factors; // of the learning rate, by parameter; those that are not 1
    bool stillNorms = true;                // the running statistics of frozen layers stay as they are
};

// `parameters` in the order of the model; `head` as HeadedModel::headName(), empty where there is none. Input, with the
// field and the nearest name: a glob means no parameter; "body" of a model without a head; or nothing is left to train.
Result<TrainedParts> trainedPartsOf(const spec::Finetune& finetune, const std::vector<std::string>& parameters,
                                    const std::string& head);

// The parts of a model that are frozen one by one: the numbered ones ("layer1.0"), and between them each layer for
// itself. One for each parameter; freezing the name of one means all of its parameters.
std::vector<std::string> blockOfEach(const std::vector<std::string>& parameters);

// How many layers are above each parameter's: 0 for the last numbered part of the model ("layer4.1",
// "encoder.layers.encoder_layer_11") and what follows it; what stands before the first has the most. Where no part is
// numbered each module counts.
std::vector<int> layersAbove(const std::vector<std::string>& parameters);

} // namespace trainyard::train
