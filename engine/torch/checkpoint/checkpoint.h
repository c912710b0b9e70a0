// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint is one safetensors file; CHECKPOINT.md beside this file describes its tensors and metadata.
#pragma once

#include "engine/base/files/atomic_file.h"
#include "engine/base/machine/idle_gate.h"
#include "engine/torch/base/served_tasks.h"
#include "engine/torch/base/table_layout.h"
#include "engine/torch/base/token_layout.h"
#include "engine/torch/optim/optimizer.h"

#include <torch/torch.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard::train {

inline constexpr int kCheckpointVersion = 2;

// What tells the data of a run from data that has changed since, besides the rest of ModelInfo.
struct DataPin {
    std::string dataset{};                            // its name; empty: of a version that pinned nothing
    std::vector<std::string> features{};              // columns of a table
    std::int64_t train = 0, validation = 0, test = 0; // samples
    std::string digest{};                             // data::Dataset::digest
    std::vector<double> mean{}, stddev{};             // of features that are not standardised
    bool known() const { return !dataset.empty(); }
};

// What a model was trained on; enough to use it without the dataset.
struct ModelInfo { // members as in data::Dataset
    std::vector<std::int64_t> sampleShape;
    std::int64_t classes = 0;
    std::vector<std::string> classNames;
    std::vector<double> mean, stddev;
    TaskKind task = TaskKind::Classification;
    std::vector<double> targetMean, targetStddev;
    DataPin pin{};
    TableLayout table{};
    std::vector<double> thresholds{}; // of labels: from which probability on each is given; empty: 0.5
    std::string weights{}; // JSON of weights::jsonOf(): the file that the first weights came from; empty: random ones
    TokenLayout tokens{};
};

// The metadata key "modelInfo".
std::string modelInfoJson(const ModelInfo& info);
// And back. Input: it is no JSON object, or has a task that is unknown.
Result<ModelInfo> modelInfoFrom(const std::string& json, const std::string& where);

// Everything that a run needs to continue as if it had not stopped.
struct TrainState {
    std::int64_t step = 0;                      // optimizer steps done
    std::int64_t epoch = 0;                     // epoch in progress, from 0
    std::int64_t batchInEpoch = 0;              // optimizer steps done in it: where the sampler continues
    std::string runJson;                        // the run file
    std::map<std::string, double> metrics;      // last value of each series
    std::map<std::string, std::int64_t> points; // step of the newest point of each series; written, never read back
    // Points that may not be in the store, [step, epoch, seconds, value] each; written, never read back.
    std::map<std::string, std::vector<std::array<double, 4>>> unstored;
    std::map<std::string, double> progress; // sums of the epoch in progress (the trainer's own), restored as they are
    ModelInfo modelInfo;
    optim::NamedTensors model;       // parameters and buffers, by name
    optim::NamedTensors average;     // of the parameters over time (the run's `ema`), by name; empty: none kept
    optim::OptimizerState optimizer; // kind empty: none saved
    optim::NamedTensors carried;     // what averaging continues from (GradientAverager::shareCarried())
};

// Parameters and buffers of a module by name, detached; they share memory with it (copy before it trains on).
optim::NamedTensors modelTensors(const torch::nn::Module& module);
// The model to use the run's result with: its tensors, with the averaged parameters where there are some.
optim::NamedTensors servingTensors(const TrainState& state);
// Without low-rank matrices (finetune.lora), which are added to their weights as the run file of the state says. New
// tensors where there are any; what has none is returned as it is.
optim::NamedTensors mergedAdapters(const optim::NamedTensors& tensors, const std::string& runJson);
// Copies tensors into the module of the same architecture. Input error: lists missing, unexpected and shape-differing
// names, in that order; then nothing was changed.
Result<void> restoreModel(torch::nn::Module& module, const optim::NamedTensors& tensors, const std::string& where);

// A copy that shares no memory with the run, so that another thread can write it while training continues.
TrainState snapshot(const TrainState& state);

// Atomic and durable: the file at `path` is the old one or the new one, whole. Tensors are moved to the CPU first.
// Environment: disk full and the like. Run: a weight is NaN or infinite (nothing is written). `gate`: the work goes
// through it.
Result<void> saveCheckpoint(const std::filesystem::path& path, const TrainState& state, IdleGate* gate = nullptr,
                            Outlives outlives = Outlives::PowerLoss);

// Checked whole: checksums, tensors, metadata, finite weights. Input: not a checkpoint, damaged, made by a newer
// version, NaN weights; the message names the file and what is wrong.
Result<TrainState> loadCheckpoint(const std::filesystem::path& path);

// The same as bytes (uint8 [n]) for another process of the same program, with nothing checked but the shape of it.
torch::Tensor packState(const TrainState& state);
Result<TrainState> unpackState(const torch::Tensor& bytes, const std::string& where);

} // namespace trainyard::train
