// SPDX-License-Identifier: GPL-3.0-or-later
// What a trained model is asked about, as tensors: images, rows, texts and samples of its dataset.
#pragma once

#include "engine/torch/data/dataset.h"
#include "engine/torch/worker/trained_model.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trainyard::train {

// The dataset that was asked for last stays in memory: loading it takes longer than answering.
class KeptDataset {
public:
    // That of the model's run file, in the units that the model was trained in; its notes say how it differs from what
    // was trained on. Blocks while it is loaded; errors of data::loadDataset(). Input, CheckpointMisfit: what the model
    // takes or puts out means something else there.
    Result<std::shared_ptr<const data::Dataset>> of(const TrainedModel& trained);

private:
    std::string m_key;
    std::shared_ptr<const data::Dataset> m_dataset;
};

// Input: no part of that name, or the dataset has none.
Result<const data::Split*> partOf(const data::Dataset& dataset, const std::string& part, const std::string& where);

// One thing that a model is asked about.
struct Sample {
    std::string name;
    torch::Tensor input; // as the model takes it, without the batch
    std::optional<std::int64_t> label;
    torch::Tensor seen;            // of an image file: uint8 [C, H, W], as it was cut and resized; else undefined
    std::string labelText{};       // of a row: its class as the table has it, also one that the model does not know
    std::vector<double> targets{}; // of a row, for regression; empty where the table has none
};
using SampleSink = std::function<void(Sample)>; // sample by sample, so that a folder of images need not fit into memory

// Reads inputs (predict.h) for one model.
class SampleReader {
public:
    SampleReader(const TrainedModel& trained, KeptDataset& datasets) : m_trained(trained), m_datasets(datasets) {}

    // Hands the sink every sample of one input. Input: what cannot be read, or does not fit the model.
    Result<void> read(const std::string& given, const SampleSink& sink);
    // An encoded picture in memory, as the same bytes in a file.
    Result<Sample> readPicture(std::span<const std::uint8_t> bytes, const std::string& name) const;

private:
    bool isStretched() const;
    Result<void> readFolder(const std::string& folder, const SampleSink& sink);
    Result<void> readImage(const std::filesystem::path& file, const SampleSink& sink);
    Result<void> readSample(const std::string& given, const SampleSink& sink);
    Result<void> readRows(const std::string& given, const SampleSink& sink);
    Result<void> readText(const std::string& given, const SampleSink& sink);
    torch::Tensor normalised(const torch::Tensor& values) const;

    const TrainedModel& m_trained;
    KeptDataset& m_datasets;
};

} // namespace trainyard::train
