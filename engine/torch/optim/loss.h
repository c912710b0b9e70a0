// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"
#include "engine/torch/base/served_tasks.h"

#include <torch/torch.h>

#include <vector>

namespace trainyard::optim {

struct LossRow;

// What a loss is told beside its name.
struct LossNumbers {
    double labelSmoothing = 0;
    double gamma = 0, delta = 1;           // of focal and huber
    torch::Tensor classWeights, posWeight; // float32 [outputs] on the CPU, the latter also [1]; undefined: none
};

// What is minimised. Outputs and targets have the shapes of the task (TaskKind). A unit is what the mean is taken over:
// a sample, or for language a token.
//   cross-entropy (classification, language): natural logarithm
//   focal (classification): that of each sample times (1 - p)^gamma, p the probability of its class (Lin et al., Focal
//     Loss, 2017, arXiv:1708.02002)
//   bce (classification, regression, multi-label): binary cross-entropy of each output on its own, averaged over a
//     unit's outputs; classes are taken as 0 and 1 for each, targets of regression must lie between 0 and 1, as the
//     data has them; what a target of 1 adds is taken times posWeight while training
//   mse, l1, huber (regression): of each output, averaged over a unit's outputs
// The semantics are those of torch.nn.CrossEntropyLoss, BCEWithLogitsLoss, MSELoss, L1Loss and HuberLoss; label
// smoothing is that of Szegedy et al., Rethinking the Inception Architecture, 2015, arXiv:1512.00567. While training,
// the targets of a classification may be shares of the classes, float [B, classes] (takesShares()).
class Loss {
public:
    // `outputs`: of the model for one unit; `targets`: of the training samples, by which weights are balanced. Kind
    // Input: unknown name, a task that it does not serve, a parameter out of its range, another number of weights than
    // classes, weights to be balanced without targets.
    static Result<Loss> make(const spec::Choice& choice, train::TaskKind task, std::int64_t outputs,
                             const torch::Tensor& targets = {});
    bool takesShares() const;
    // Checks what make() cannot: targets of regression out of bce's range, or `standardised` before a model sees them.
    Result<void> checkTargets(const torch::Tensor& targets, bool standardised) const;

    // The mean over the batch: a scalar tensor in the graph, float32 also for bf16 outputs. With class weights it is
    // the weighted mean, as PyTorch's; with shares of classes PyTorch divides by the units.
    torch::Tensor mean(const torch::Tensor& outputs, const torch::Tensor& targets) const;
    // What mean() divided by: units, or the sum of their class weights. Double scalar; sums of mean * weight over
    // batches and ranks, divided by sums of weight, are the mean over all.
    torch::Tensor weight(const torch::Tensor& targets) const;
    bool weighsClasses() const { return m_numbers.classWeights.defined(); }
    // The sum over the units, for validation: sums and counts are reduced over ranks, not means. Without label
    // smoothing and weights: val/loss stays comparable between runs.
    torch::Tensor validationSum(const torch::Tensor& outputs, const torch::Tensor& targets) const;
    // The same of each unit: [B], for language [B, T].
    torch::Tensor ofEach(const torch::Tensor& outputs, const torch::Tensor& targets) const;
    // What outputs of classification or language say of each class, between 0 and 1: the softmax, for bce the sigmoid.
    torch::Tensor probabilities(const torch::Tensor& outputs) const;
    // What outputs of regression say, to compare with targets: for bce their sigmoid, else the outputs.
    torch::Tensor answers(const torch::Tensor& outputs) const;

private:
    torch::Tensor reduced(const torch::Tensor& outputs, const torch::Tensor& targets, std::int64_t reduction) const;

    const LossRow* m_row = nullptr; // of a table that is never freed
    train::TaskKind m_task = train::TaskKind::Classification;
    LossNumbers m_numbers;
};

std::vector<spec::Entry> lossEntries();

} // namespace trainyard::optim
