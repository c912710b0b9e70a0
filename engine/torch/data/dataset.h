// SPDX-License-Identifier: GPL-3.0-or-later
// A data set held whole in memory as two tensors; a batch is one index_select and one conversion.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/catalog.h"

#include <torch/torch.h>

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::data {

// One part of a data set, raw: pictures uint8 [N, C, H, W], or features float32 [N, F].
struct Split {
    torch::Tensor inputs;
    torch::Tensor targets; // int64 [N], each in [0, classes)
    std::int64_t size() const { return targets.defined() ? targets.size(0) : 0; }
};

struct Dataset {
    Split train, validation;
    std::vector<std::int64_t> sampleShape; // [C, H, W] or [F]
    std::int64_t classes = 0;
    std::vector<std::string> classNames; // `classes` of them
    std::vector<double> mean, stddev;    // per channel, of inputs in [0, 1]; empty for features
    std::string source;                  // where it came from: a folder, or "generated"
};

// What a model is given: inputs float32 [B, ...sampleShape] normalised, targets int64 [B].
struct Batch {
    torch::Tensor inputs, targets;
};

// Loads or generates the data set that the run file names. `seed` decides generated samples and the validation split,
// so every rank that asks with the same arguments holds the same data. Kinds: Input (unknown name, bad file: names
// file, offset and remedy), Environment (files that cannot be read, not enough memory). Blocks; any thread.
Result<Dataset> loadDataset(const spec::Choice& choice, std::int64_t seed);

// The samples at `indices` (int64 [B], on the split's device), normalised: (x / 255 - mean) / stddev for pictures, as
// they are for features. The result lies on the split's device. Throws c10::Error on an index out of range.
Batch gather(const Dataset& dataset, const Split& split, const torch::Tensor& indices);

// Moves both splits to the device, once, so that gather() works there.
void moveTo(Dataset& dataset, const torch::Device& device);

// The table behind loadDataset: one row per data set.
struct DatasetEntry {
    spec::Entry info;                   // parameters, facts and whether its files are there (cheap: headers only)
    Result<Dataset> (*load)(const spec::Choice& choice, std::int64_t seed);
};
std::vector<DatasetEntry> datasetEntries();

} // namespace trainyard::data
