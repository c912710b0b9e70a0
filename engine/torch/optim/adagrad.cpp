// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds as PyTorch's own (torch/optim/adagrad.py, the single-tensor form): the same operations in the same order.
#include "engine/torch/optim/optimizer_table.h"
#include "engine/torch/optim/update_kernels.h"

namespace trainyard::optim {
namespace {

class Adagrad final : public UpdateRule {
public:
    explicit Adagrad(const train::Arguments& arguments)
        : m_lrDecay(arguments.number("lrDecay")), m_eps(arguments.number("eps")),
          m_initial(arguments.number("initialSum")) {}

    std::vector<std::string> slots() const override { return {"sum"}; }
    double firstValue() const override { return m_initial; }
    void update(const UpdateBlock& block, const UpdateSettings& s) const override {
        adagradLoop(block, {.weightDecay = single(s.weightDecay), .eps = single(m_eps), .minusLr = single(-rate(s))});
    }
    void update(torch::Tensor& weights, const torch::Tensor& gradient, std::vector<torch::Tensor>& slots,
                const UpdateSettings& s) const override {
        const torch::Tensor direction = decayed(gradient, weights, s.weightDecay);
        slots[0].addcmul_(direction, direction, 1);
        weights.addcdiv_(direction, slots[0].sqrt().add_(m_eps), -rate(s));
    }

private:
    double rate(const UpdateSettings& s) const { return s.lr / (1 + static_cast<double>(s.step - 1) * m_lrDecay); }

    double m_lrDecay, m_eps, m_initial;
};

Result<std::unique_ptr<UpdateRule>> makeAdagrad(const train::Arguments& arguments) {
    return std::unique_ptr<UpdateRule>(std::make_unique<Adagrad>(arguments));
}

} // namespace

OptimizerEntry adagradOptimizer() {
    return {optimizerInfo("adagrad", Engine::tr("Adagrad"),
                          Engine::tr("Steps divided by the root of all squared gradients so far."),
                          {lrInfo(0.01),
                           {.name = "lrDecay",
                            .title = Engine::tr("Learning-rate decay"),
                            .defaultValue = 0.0,
                            .min = 0.0,
                            .max = 1.0,
                            .help = Engine::tr("The learning rate is divided by 1 + this × the steps done.")},
                           {.name = "initialSum",
                            .title = Engine::tr("Initial sum"),
                            .defaultValue = 0.0,
                            .min = 0.0,
                            .max = 1e6,
                            .help = Engine::tr("Initial value of the sum of squares.")},
                           epsInfo(1e-10)}),
            makeAdagrad};
}

} // namespace trainyard::optim
