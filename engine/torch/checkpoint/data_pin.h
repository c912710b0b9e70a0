// SPDX-License-Identifier: GPL-3.0-or-later
// Whether data is what a model was trained on: asked wherever the data of a run is read again.
#pragma once

#include "engine/torch/checkpoint/checkpoint.h"
#include "engine/torch/data/dataset.h"

#include <string>
#include <vector>

namespace trainyard::train {

// What a checkpoint says about the data of its run.
ModelInfo modelInfoOf(const data::Dataset& dataset, const spec::RunSpec& spec);

// One thing that is not as it was.
struct DataDifference {
    // Misfit: the model's inputs or outputs mean something else now, so that it cannot be used on the data. Changed: it
    // can, and its numbers are not those of then.
    enum class Kind { Misfit, Changed };
    Kind kind = Kind::Changed;
    std::string text; // "the class "cat" is gone, and "zcat" is new"
};

// Rule: whether data is what a model was trained on.
// What differs, the misfits first. A checkpoint of a version that pinned less is compared in what it has.
std::vector<DataDifference> compareData(const ModelInfo& trainedOn, const ModelInfo& found);

bool hasMisfit(const std::vector<DataDifference>& differences);
// All of them in one sentence.
std::string textOf(const std::vector<DataDifference>& differences);

// Brings loaded data into the units that the model was trained in: the means and deviations of then, where those of the
// data are others by now. Before data::moveTo(). Nothing changes where they are the same, to the bit.
void useUnitsOf(const ModelInfo& trainedOn, data::Dataset& dataset);

} // namespace trainyard::train
