// SPDX-License-Identifier: GPL-3.0-or-later
// A model on the samples of one part of a dataset: while training, and when a checkpoint is evaluated again.
#pragma once

#include "engine/torch/data/loader/batch_loader.h"
#include "engine/torch/data/sampler.h"
#include "engine/torch/models/model.h"
#include "engine/torch/trainer/learner/precision.h"
#include "engine/torch/trainer/task/task.h"

#include <functional>

namespace trainyard::train {

inline constexpr std::int64_t kEvaluationBatch = 256; // samples at a time, or a larger batch of the training

// Which of the samples, and how.
struct EvaluationShare {
    data::Share share;
    std::int64_t batch = kEvaluationBatch;
    const Precision& precision;
    std::function<void(int)> begins{};     // called before each batch with its number; may be empty
    data::LoaderOptions loader{};          // of a part that is streamed
    std::function<void(double)> waiting{}; // called while one of its batches is waited for
};

// What the samples of a share give: sums for Task::evaluate() on the device of the split, and the examples kept.
struct EvaluatedShare {
    torch::Tensor sums;
    std::vector<run::Example> examples;
    std::vector<data::UnreadableFile> unreadable; // others took their places
};

// The model must be in evaluation mode and on the device of the split; its buffers are as before afterwards, even if a
// module from outside changes them in that mode. Throws what LibTorch throws, and Raised when a sample cannot be read.
EvaluatedShare evaluateShare(models::Model& model, const Task& task, const data::Dataset& dataset,
                             const data::Split& split, const EvaluationShare& how);

// What the model makes of each example's sample alone and in float32, as predict and an export do, in place of what it
// made of it in a batch: there the last bits of its outputs depend on the samples beside it. They stay in their order.
void judgeAlone(models::Model& model, const Task& task, const data::Dataset& dataset, const data::Split& split,
                std::vector<run::Example>& examples);

// The examples to keep of those that all ranks kept, each a text of run::examplesToJson().
std::vector<run::Example> chosenOf(const std::vector<std::string>& ofRanks);

} // namespace trainyard::train
