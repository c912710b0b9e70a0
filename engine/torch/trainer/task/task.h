// SPDX-License-Identifier: GPL-3.0-or-later
// What a run learns, as the training loop needs it: the loss, and the metrics that tell how good the model is. Metrics
// are made of sums and counts that add up over batches and ranks, so any number of ranks gets those of one process.
#pragma once

#include "engine/run/record/evaluation_examples.h"
#include "engine/spec/run/run_spec.h"
#include "engine/torch/data/dataset.h"
#include "engine/torch/optim/loss.h"

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trainyard::train {

// How good a model was on the validation samples, or on those of the test.
struct Evaluation {
    std::map<std::string, double> series; // "val/loss" and the like
    std::string json;                     // all of it, as EVALUATION.md describes
    std::vector<double> thresholds{};     // of labels: what was chosen, or given, for each
};

// One per run; the functions may be called from any thread. Sums are double tensors on the device of the outputs.
class Task {
public:
    virtual ~Task() = default;
    // Kind Input: the loss does not serve the task or the targets; a metric that the run waits for never comes.
    static Result<std::unique_ptr<Task>> make(const spec::RunSpec& spec, const data::Dataset& dataset);

    // The mean loss of a batch, in the graph.
    torch::Tensor loss(const torch::Tensor& outputs, const torch::Tensor& targets) const;
    // While training: the names of the metrics ("train/loss" first), the sums of a batch [sumCount()], and the
    // metrics that added-up sums make.
    virtual std::vector<std::string> trainSeries() const = 0;
    std::int64_t sumCount() const { return 4; }
    virtual torch::Tensor trainSums(const torch::Tensor& meanLoss, const torch::Tensor& outputs,
                                    const torch::Tensor& targets) const = 0;
    virtual std::vector<double> trainMetrics(const std::vector<double>& sums) const = 0;

    // In validation: sums of nothing, the sums of a batch (outputs float32) added to them, and what added-up sums tell.
    virtual torch::Tensor zeroSums(const torch::Device& device) const = 0;
    virtual void add(torch::Tensor& sums, const torch::Tensor& outputs, const torch::Tensor& targets) const = 0;
    virtual Evaluation evaluate(const torch::Tensor& sums, const std::vector<run::Example>& examples) const = 0;
    // Beside the sums, for single samples: what an example says of each one of the batch, double [B, …] on the device
    // of the outputs; and the example of one such row.
    virtual torch::Tensor judge(const torch::Tensor& outputs, const torch::Tensor& targets) const = 0;
    virtual run::Example example(std::int64_t index, std::span<const double> judged) const = 0;
    // Of labels: the probabilities from which on each is given, as they were chosen on validation. None: evaluate()
    // chooses the best for the samples that it is of.
    void setThresholds(std::vector<double> thresholds) { m_thresholds = std::move(thresholds); }

protected:
    explicit Task(optim::Loss loss) : m_loss(std::move(loss)) {}
    // Of a row of judge() that is a loss, all targets, and as many outputs.
    static run::Example exampleOfNumbers(std::int64_t index, std::span<const double> judged);
    const optim::Loss m_loss;
    std::vector<double> m_thresholds;
};

// ---- one for each TaskKind, in files of their own ------------------------------------------------------------------
std::unique_ptr<Task> makeClassification(optim::Loss loss, const data::Dataset& dataset);
std::unique_ptr<Task> makeRegression(optim::Loss loss, const data::Dataset& dataset);
std::unique_ptr<Task> makeLabels(optim::Loss loss, const data::Dataset& dataset);
std::unique_ptr<Task> makeLanguage(optim::Loss loss, const data::Dataset& dataset);

} // namespace trainyard::train
