// SPDX-License-Identifier: GPL-3.0-or-later
// SGD, Lion, RMSprop and Adagrad. All but Lion round as PyTorch's own (torch/optim/sgd.py and so on, the single-tensor
// forms): the same operations in the same order.
#include "engine/torch/base/compat.h"
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

class Lion final : public UpdateRule {
public:
    explicit Lion(const train::Arguments& arguments)
        : m_beta1(arguments.number("beta1")), m_beta2(arguments.number("beta2")) {}

    std::vector<std::string> slots() const override { return {"expAvg"}; }
    void update(const UpdateBlock& block, const UpdateSettings& s) const override {
        lionLoop(block, {.shrink = single(1.0 - s.lr * s.weightDecay),
                         .beta1 = single(m_beta1),
                         .rest1 = single(1.0 - m_beta1),
                         .beta2 = single(m_beta2),
                         .rest2 = single(1.0 - m_beta2),
                         .minusLr = single(-s.lr)});
    }
    void update(torch::Tensor& weights, const torch::Tensor& gradient, std::vector<torch::Tensor>& slots,
                const UpdateSettings& s) const override {
        weights.mul_(1.0 - s.lr * s.weightDecay);
        const torch::Tensor direction = slots[0].mul(m_beta1).add_(gradient, 1.0 - m_beta1);
        slots[0].mul_(m_beta2).add_(gradient, 1.0 - m_beta2);
        weights.add_(direction.sign(), -s.lr);
    }

private:
    double m_beta1, m_beta2;
};

Result<std::unique_ptr<UpdateRule>> makeLion(const train::Arguments& arguments) {
    return std::unique_ptr<UpdateRule>(std::make_unique<Lion>(arguments));
}

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

OptimizerEntry lionOptimizer() {
    return {optimizerInfo(
                "lion", Engine::tr("Lion"),
                Engine::tr("Steps of one size, along the sign of the averaged gradient. Start with a tenth of AdamW's "
                           "learning rate and ten times its weight decay."),
                {lrInfo(1e-4), beta1Info(0.9, Engine::tr("Share of the average in the direction.")),
                 beta2Info(0.99, Engine::tr("Decay of the average of gradients."))},
                0.1, Engine::tr("Pulls weights to zero at each step.")),
            makeLion};
}

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
