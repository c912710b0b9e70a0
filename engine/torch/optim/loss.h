// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"
#include "engine/spec/catalog.h"

#include <torch/torch.h>

#include <vector>

namespace trainyard::optim {

// Cross-entropy of logits [B, classes] against int64 targets [B]; natural logarithm.
class Loss {
public:
    // Kind Input: unknown name, labelSmoothing outside [0, 1).
    static Result<Loss> make(const spec::Choice& choice);
    // The mean over the batch: a scalar tensor in the graph, float32 also for bf16 logits.
    torch::Tensor mean(const torch::Tensor& logits, const torch::Tensor& targets) const;
    // The sum over the batch, for validation: sums and counts are reduced over ranks, not means. No label smoothing:
    // val/loss stays comparable between runs.
    torch::Tensor validationSum(const torch::Tensor& logits, const torch::Tensor& targets) const;

private:
    double m_labelSmoothing = 0;
};

// How many logits' largest entry is the target: int64 scalar tensor, no synchronisation.
torch::Tensor correctCount(const torch::Tensor& logits, const torch::Tensor& targets);

std::vector<spec::Entry> lossEntries();

} // namespace trainyard::optim
