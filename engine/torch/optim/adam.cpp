// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds as PyTorch's own (torch/optim/adam.py and adamw.py, the single-tensor form): the same operations in the same
// order.
#include "engine/torch/base/compat.h"
#include "engine/torch/optim/optimizer_table.h"
#include "engine/torch/optim/update_kernels.h"

#include <cmath>

namespace trainyard::optim {
namespace {

class Adam final : public UpdateRule {
public:
    Adam(const train::Arguments& arguments, bool decoupled)
        : m_beta1(arguments.number("beta1")), m_beta2(arguments.number("beta2")), m_eps(arguments.number("eps")),
          m_decoupled(decoupled) {}

    std::vector<std::string> slots() const override { return {"expAvg", "expAvgSq"}; }
    void update(const UpdateBlock& block, const UpdateSettings& s) const override {
        const auto [correction1, root2] = corrections(s.step);
        adamLoop(block, {.weightDecay = m_decoupled ? 0 : single(s.weightDecay),
                         .shrink = m_decoupled ? single(1.0 - s.lr * s.weightDecay) : 1,
                         .beta1 = single(m_beta1),
                         .rest1 = single(1.0 - m_beta1),
                         .beta2 = single(m_beta2),
                         .rest2 = single(1.0 - m_beta2),
                         .root2 = single(root2),
                         .eps = single(m_eps),
                         .minusStep = single(-(s.lr / correction1))});
    }
    void update(torch::Tensor& weights, const torch::Tensor& gradient, std::vector<torch::Tensor>& slots,
                const UpdateSettings& s) const override {
        torch::Tensor direction = gradient;
        if (m_decoupled) weights.mul_(1.0 - s.lr * s.weightDecay);
        else direction = decayed(gradient, weights, s.weightDecay);
        train::compat::moveMean(slots[0], direction, m_beta1, 1.0 - m_beta1);
        slots[1].mul_(m_beta2).addcmul_(direction, direction, 1.0 - m_beta2);
        const auto [correction1, root2] = corrections(s.step);
        weights.addcdiv_(slots[0], slots[1].sqrt().div_(root2).add_(m_eps), -(s.lr / correction1));
    }
    bool updateMany(const UpdateGroup& group, const UpdateSettings& s) const override {
        if (m_decoupled) at::_foreach_mul_(group.weights, 1.0 - s.lr * s.weightDecay);
        const std::vector<torch::Tensor> direction = decayed(group, m_decoupled ? 0 : s.weightDecay);
        const auto &mean = group.slots[0], &square = group.slots[1];
        train::compat::moveMeans(mean, direction, m_beta1, 1.0 - m_beta1);
        at::_foreach_mul_(square, m_beta2);
        at::_foreach_addcmul_(square, direction, direction, 1.0 - m_beta2);
        const auto [correction1, root2] = corrections(s.step);
        const std::vector<torch::Tensor> root = at::_foreach_sqrt(square);
        at::_foreach_div_(root, root2);
        at::_foreach_add_(root, m_eps);
        at::_foreach_addcdiv_(group.weights, mean, root, -(s.lr / correction1));
        return true;
    }

private:
    std::pair<double, double> corrections(std::int64_t step) const {
        const auto count = static_cast<double>(step);
        return {1.0 - std::pow(m_beta1, count), std::sqrt(1.0 - std::pow(m_beta2, count))};
    }

    double m_beta1, m_beta2, m_eps;
    bool m_decoupled;
};

template <bool decoupled>
Result<std::unique_ptr<UpdateRule>> makeAdam(const train::Arguments& arguments) {
    return std::unique_ptr<UpdateRule>(std::make_unique<Adam>(arguments, decoupled));
}

std::vector<spec::ParamInfo> adamParams() {
    return {lrInfo(0.001), beta1Info(0.9, Engine::tr("Decay of the average of gradients.")),
            beta2Info(0.999, Engine::tr("Decay of the average of their squares.")), epsInfo(1e-8)};
}

} // namespace

OptimizerEntry adamOptimizer() {
    return {
        optimizerInfo("adam", Engine::tr("Adam"), Engine::tr("Steps scaled by each gradient's past."), adamParams()),
        makeAdam<false>};
}

OptimizerEntry adamwOptimizer() {
    return {optimizerInfo("adamw", Engine::tr("AdamW"), Engine::tr("Adam with decoupled weight decay."), adamParams(),
                          0.01, Engine::tr("Pulls weights to zero at each step.")),
            makeAdam<true>};
}

} // namespace trainyard::optim
