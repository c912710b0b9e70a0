// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds as PyTorch's own (torch/optim/rmsprop.py, the single-tensor form): the same operations in the same order.
#include "engine/torch/base/compat.h"
#include "engine/torch/optim/optimizer_table.h"
#include "engine/torch/optim/update_kernels.h"

namespace trainyard::optim {
namespace {

class Rmsprop final : public UpdateRule {
public:
    explicit Rmsprop(const train::Arguments& arguments)
        : m_alpha(arguments.number("alpha")), m_eps(arguments.number("eps")), m_momentum(arguments.number("momentum")),
          m_centered(arguments.flag("centered")) {}

    std::vector<std::string> slots() const override {
        std::vector<std::string> names{"squareAvg"};
        if (m_centered) names.emplace_back("gradAvg");
        if (m_momentum != 0) names.emplace_back("momentum");
        return names;
    }
    void update(const UpdateBlock& block, const UpdateSettings& s) const override {
        rmspropLoop(block, {.weightDecay = single(s.weightDecay),
                            .alpha = single(m_alpha),
                            .rest = single(1 - m_alpha),
                            .eps = single(m_eps),
                            .momentum = single(m_momentum),
                            .minusLr = single(-s.lr),
                            .momentumSlot = m_momentum != 0 ? momentumSlot() : -1,
                            .averageSlot = m_centered ? 1 : -1});
    }
    void update(torch::Tensor& weights, const torch::Tensor& gradient, std::vector<torch::Tensor>& slots,
                const UpdateSettings& s) const override {
        const torch::Tensor direction = decayed(gradient, weights, s.weightDecay);
        slots[0].mul_(m_alpha).addcmul_(direction, direction, 1 - m_alpha);
        torch::Tensor spread = slots[0];
        if (m_centered) {
            train::compat::moveMean(slots[1], direction, m_alpha, 1 - m_alpha);
            spread = slots[0].addcmul(slots[1], slots[1], -1);
        }
        const torch::Tensor root = spread.sqrt().add_(m_eps);
        if (m_momentum == 0) {
            weights.addcdiv_(direction, root, -s.lr);
            return;
        }
        torch::Tensor& move = slots[static_cast<std::size_t>(momentumSlot())];
        move.mul_(m_momentum).addcdiv_(direction, root);
        weights.add_(move, -s.lr);
    }

private:
    int momentumSlot() const { return m_centered ? 2 : 1; }

    double m_alpha, m_eps, m_momentum;
    bool m_centered;
};

Result<std::unique_ptr<UpdateRule>> makeRmsprop(const train::Arguments& arguments) {
    return std::unique_ptr<UpdateRule>(std::make_unique<Rmsprop>(arguments));
}

} // namespace

OptimizerEntry rmspropOptimizer() {
    return {optimizerInfo("rmsprop", Engine::tr("RMSprop"),
                          Engine::tr("Steps divided by a running root mean square of the gradients."),
                          {lrInfo(0.01),
                           {.name = "alpha",
                            .title = Engine::tr("Alpha"),
                            .defaultValue = 0.99,
                            .min = 0.0,
                            .max = 0.999999,
                            .help = Engine::tr("Decay of the average of squared gradients.")},
                           epsInfo(1e-8),
                           momentumInfo(),
                           {.name = "centered",
                            .title = Engine::tr("Centered"),
                            .type = spec::ParamType::Flag,
                            .defaultValue = false,
                            .help = Engine::tr("Divide by an estimate of the variance.")}}),
            makeRmsprop};
}

} // namespace trainyard::optim
