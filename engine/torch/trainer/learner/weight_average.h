// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/models/model.h"
#include "engine/torch/optim/optimizer.h"

#include <memory>

namespace trainyard::train {

// The exponential moving average of a model's weights (the run file's `ema`), in a model of its own: average = decay *
// average + (1 - decay) * weights after each step, beginning with the first weights, as get_ema_avg_fn() of
// torch.optim.swa_utils has it. Running statistics are the trained model's. Every rank has one; they are equal, as the
// weights are.
class WeightAverage {
public:
    // `copy`: a model like `trained`, whose weights are overwritten. Both are kept.
    WeightAverage(std::shared_ptr<models::Model> copy, const models::Model& trained, double decay);
    void update(); // after a step
    // With the trained model's statistics of now.
    models::Model& model();
    // The averaged parameters by name; they share memory with this.
    const optim::NamedTensors& tensors() const { return m_average; }
    // Input: names or shapes of another model; then nothing was changed.
    Result<void> restore(const optim::NamedTensors& tensors, const std::string& where);

private:
    std::shared_ptr<models::Model> m_copy;
    const models::Model& m_trained;
    const double m_decay;
    optim::NamedTensors m_average;        // parameters of the copy
    std::vector<torch::Tensor> m_weights; // the trained ones, in the same order
};

} // namespace trainyard::train
