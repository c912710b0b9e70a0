// SPDX-License-Identifier: GPL-3.0-or-later
// Activations that are computed again in the backward pass instead of being kept (Chen and others, Training Deep Nets
// with Sublinear Memory Cost, 2016, arXiv:1604.06174).
#pragma once

#include "engine/torch/models/model.h"

#include <functional>

namespace trainyard::models {

// The state of the default generator of a device, to draw the same numbers again.
class Draws {
public:
    explicit Draws(const torch::Device& device);

    // The generator goes on as it did after this was made, until the guard ends; then as it was before.
    class Again {
    public:
        explicit Again(const Draws& draws);
        ~Again();
        Again(const Again&) = delete;
        Again& operator=(const Again&) = delete;

    private:
        at::Generator m_generator;
        torch::Tensor m_before;
    };

private:
    at::Generator m_generator;
    torch::Tensor m_state;
};

// block(x), of which only x is kept: the backward pass computes it again, with the same draws and under the same
// autocast, so loss and gradients keep their bits. `block` must depend on x, the module and draws alone, and change
// nothing else; the module outlives the graph. Without gradients it is block(x).
torch::Tensor recomputed(const torch::nn::Module& module, const torch::Tensor& x,
                         const std::function<torch::Tensor(const torch::Tensor&)>& block);

// As `tuning.recompute` of a run file says: none or blocks. Input: the model has no blocks that could be.
Result<void> setRecompute(Model& model, const std::string& word);

} // namespace trainyard::models
