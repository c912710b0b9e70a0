// SPDX-License-Identifier: GPL-3.0-or-later
// Averages the gradients of a model whose forward and backward passes are run by the user's program.
#pragma once

#include "engine/torch/averaging/gradient_averager.h"

#include <memory>
#include <string>
#include <vector>

namespace trainyard::train {

class RankSession;

// Drives a GradientAverager from inside backward(): a hook in front of the first gradient to be accumulated opens the
// step, and a callback that autograd runs at the end of the pass waits for the averages. Forward passes are not looked
// at: there may be none or several to a backward pass, and some that nothing comes of. A gradient that was in a
// parameter before, and is not zero, is added to its average afterwards: passes add up as without this.
class ModelSync {
public:
    // `kind` as AveragerOptions::kind; shared memory is for gradients only, the weights are the program's. Throws
    // InputError. Keeps the module alive. The session outlives it.
    ModelSync(std::shared_ptr<torch::nn::Module> module, const std::string& kind, RankSession& session, bool compare);
    ~ModelSync();
    ModelSync(const ModelSync&) = delete;
    ModelSync& operator=(const ModelSync&) = delete;

    const std::string& description() const { return m_description; }
    const optim::NamedTensors& parameters() const { return m_parameters; }
    bool compareAtEnd() const { return m_compare; }

private:
    struct Old {
        std::int64_t version = -1; // of the gradient that the last pass left
        torch::Tensor kept;        // what was there before this one
    };
    void hook(const torch::Tensor& parameter);
    void begin();
    void end(bool averages);
    void keepOldGradients();

    std::shared_ptr<torch::nn::Module> m_module;
    optim::NamedTensors m_parameters;
    RankSession& m_session;
    bool m_compare;
    std::string m_description;
    std::unique_ptr<optim::Optimizer> m_noUpdate; // the weights are the program's own to change
    std::unique_ptr<GradientAverager> m_averager; // null in a world of one
    std::vector<compat::NodePtr> m_accumulators;
    std::vector<Old> m_old;
    bool m_fresh = true;       // the next pass begins a step: those before it are averaged
    std::weak_ptr<int> m_pass; // lives as long as the backward pass in progress, however that ends
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace trainyard::train
