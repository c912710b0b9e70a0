// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/program/checkpoints/tensor_file.h"
#include "engine/spec/run/run_spec.h"
#include "engine/torch/models/model.h"
#include "engine/torch/weights/weights_report.h"

namespace trainyard::weights {

// What a model is that weights are read for.
struct WeightsUse {
    std::string model;                   // its name in the catalog
    models::ModelContext context;        // that it was made for
    std::vector<std::string> classNames; // of its outputs; empty: they have none
    std::string head = "auto";           // as spec::Weights has it
    double loraAlpha = 0;                // of the low-rank matrices that the model has, if it has any
};

// Rule: how much of a model's body a file must have.
inline constexpr double kLeastShare = 0.9; // of its numbers

// Copies what fits of the file into the model, in place, and says what does. Names are mapped (weight_names.h);
// positions are resampled and a first convolution made to take other channels, as torchvision and timm do it. Input: a
// tensor of it is damaged or holds NaN, or the head is to be kept and has other outputs. What was copied before stays.
Result<WeightsReport> fitWeights(models::Model& model, const program::TensorFile& file, const WeightsUse& use);

// The same from the file that the run file names, with its digest; also of an adapter of PEFT (adapter_weights.h) and
// the weights that it belongs to. Input also: the file is missing, or no file of
// weights; it holds only the state of an optimizer; less than kLeastShare of the body fits.
Result<WeightsReport> loadWeights(models::Model& model, const std::string& file, const WeightsUse& use);

// The classes of its outputs; empty: it does not say them, which only files of Trainyard do.
std::vector<std::string> classNamesIn(const program::TensorFile& file);

// Mean and deviation of images that the file's model was trained with, per channel; empty: the file does not say.
struct Normalisation {
    std::vector<double> mean, stddev;
};
Result<Normalisation> normalisationOf(const std::string& file);

} // namespace trainyard::weights
