// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds as PyTorch's own (torch/optim/sgd.py, the single-tensor form): the same operations in the same order.
#include "engine/torch/optim/optimizer_table.h"
#include "engine/torch/optim/update_kernels.h"

namespace trainyard::optim {
namespace {

class Sgd final : public UpdateRule {
public:
    explicit Sgd(const train::Arguments& arguments)
        : m_momentum(arguments.number("momentum")), m_dampening(arguments.number("dampening")),
          m_nesterov(arguments.flag("nesterov")) {}

    std::vector<std::string> slots() const override {
        return m_momentum != 0 ? std::vector<std::string>{"momentum"} : std::vector<std::string>{};
    }
    void update(const UpdateBlock& block, const UpdateSettings& s) const override {
        sgdLoop(block, {.minusLr = single(-s.lr),
                        .weightDecay = single(s.weightDecay),
                        .momentum = single(m_momentum),
                        .taken = single(1 - m_dampening),
                        .first = s.step == 1,
                        .nesterov = m_nesterov});
    }
    void update(torch::Tensor& weights, const torch::Tensor& gradient, std::vector<torch::Tensor>& slots,
                const UpdateSettings& s) const override {
        torch::Tensor direction = decayed(gradient, weights, s.weightDecay);
        if (m_momentum != 0) {
            torch::Tensor& velocity = slots[0];
            if (s.step == 1) velocity.copy_(direction);
            else velocity.mul_(m_momentum).add_(direction, 1 - m_dampening);
            direction = m_nesterov ? direction.add(velocity, m_momentum) : velocity;
        }
        weights.add_(direction, -s.lr);
    }
    bool updateMany(const UpdateGroup& group, const UpdateSettings& s) const override {
        std::vector<torch::Tensor> direction = decayed(group, s.weightDecay);
        if (m_momentum != 0) {
            const auto& velocity = group.slots[0];
            if (s.step == 1) {
                for (std::size_t p = 0; p < velocity.size(); ++p) velocity[p].copy_(direction[p]);
            } else {
                at::_foreach_mul_(velocity, m_momentum);
                at::_foreach_add_(velocity, direction, 1 - m_dampening);
            }
            direction = m_nesterov ? at::_foreach_add(direction, velocity, m_momentum) : velocity;
        }
        at::_foreach_add_(group.weights, direction, -s.lr);
        return true;
    }

private:
    double m_momentum, m_dampening;
    bool m_nesterov;
};

Result<std::unique_ptr<UpdateRule>> makeSgd(const train::Arguments& arguments) {
    if (arguments.flag("nesterov") && arguments.number("momentum") == 0)
        return inputError("nesterov needs a momentum above 0", arguments.path("nesterov"),
                          "set optimizer.momentum, for example to 0.9");
    if (arguments.flag("nesterov") && arguments.number("dampening") != 0)
        return inputError("nesterov needs a dampening of 0", arguments.path("dampening"),
                          "leave optimizer.dampening out");
    return std::unique_ptr<UpdateRule>(std::make_unique<Sgd>(arguments));
}

} // namespace

OptimizerEntry sgdOptimizer() {
    return {optimizerInfo("sgd", Engine::tr("SGD"),
                          Engine::tr("Stochastic gradient descent, optionally with momentum."),
                          {lrInfo(0.05),
                           momentumInfo(),
                           {.name = "dampening",
                            .title = Engine::tr("Dampening"),
                            .defaultValue = 0.0,
                            .min = 0.0,
                            .max = 1.0,
                            .help = Engine::tr("Share of each gradient left out of the momentum.")},
                           {.name = "nesterov",
                            .title = Engine::tr("Nesterov"),
                            .type = spec::ParamType::Flag,
                            .defaultValue = false,
                            .help = Engine::tr("Look ahead along the momentum; needs momentum.")}}),
            makeSgd};
}

} // namespace trainyard::optim
