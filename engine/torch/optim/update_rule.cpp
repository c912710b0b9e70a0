// SPDX-License-Identifier: GPL-3.0-or-later
// The updates round as PyTorch's own (torch/optim/sgd.py, adam.py, adamw.py, rmsprop.py and adagrad.py, the
// single-tensor forms) round: the same operations in the same order.
#include "engine/torch/optim/update_rule.h"

#include "engine/torch/base/arguments.h"
#include "engine/torch/base/compat.h"
#include "engine/torch/optim/update_kernels.h"

#include <cmath>

namespace trainyard::optim {
namespace {

using Tensors = std::vector<torch::Tensor>;

float single(double value) { return static_cast<float>(value); }

torch::Tensor decayed(const torch::Tensor& gradient, const torch::Tensor& weights, double decay) {
    return decay != 0 ? gradient.add(weights, decay) : gradient;
}

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
    void update(torch::Tensor& weights, const torch::Tensor& gradient, Tensors& slots,
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

private:
    double m_momentum, m_dampening;
    bool m_nesterov;
};

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
    void update(torch::Tensor& weights, const torch::Tensor& gradient, Tensors& slots,
                const UpdateSettings& s) const override {
        torch::Tensor direction = gradient;
        if (m_decoupled) weights.mul_(1.0 - s.lr * s.weightDecay);
        else direction = decayed(gradient, weights, s.weightDecay);
        train::compat::moveMean(slots[0], direction, m_beta1, 1.0 - m_beta1);
        slots[1].mul_(m_beta2).addcmul_(direction, direction, 1.0 - m_beta2);
        const auto [correction1, root2] = corrections(s.step);
        weights.addcdiv_(slots[0], slots[1].sqrt().div_(root2).add_(m_eps), -(s.lr / correction1));
    }

private:
    std::pair<double, double> corrections(std::int64_t step) const {
        const auto count = static_cast<double>(step);
        return {1.0 - std::pow(m_beta1, count), std::sqrt(1.0 - std::pow(m_beta2, count))};
    }

    double m_beta1, m_beta2, m_eps;
    bool m_decoupled;
};

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
    void update(torch::Tensor& weights, const torch::Tensor& gradient, Tensors& slots,
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
    void update(torch::Tensor& weights, const torch::Tensor& gradient, Tensors& slots,
                const UpdateSettings& s) const override {
        const torch::Tensor direction = decayed(gradient, weights, s.weightDecay);
        slots[0].addcmul_(direction, direction, 1);
        weights.addcdiv_(direction, slots[0].sqrt().add_(m_eps), -rate(s));
    }

private:
    double rate(const UpdateSettings& s) const { return s.lr / (1 + static_cast<double>(s.step - 1) * m_lrDecay); }

    double m_lrDecay, m_eps, m_initial;
};

} // namespace

Result<std::unique_ptr<UpdateRule>> makeUpdateRule(const spec::Choice& choice) {
    const std::vector<spec::Entry> entries = optimizerEntries();
    std::vector<std::string> names;
    for (const spec::Entry& entry : entries) names.push_back(entry.name);
    TY_ASSIGN(const std::size_t row, train::findName(names, choice.name, "optimizer"));
    const train::Arguments arguments(choice, entries[row], "optimizer");
    TY_TRY(arguments.check());
    const auto& name = choice.name;
    if (name == "adam" || name == "adamw")
        return std::unique_ptr<UpdateRule>(std::make_unique<Adam>(arguments, name == "adamw"));
    if (name == "rmsprop") return std::unique_ptr<UpdateRule>(std::make_unique<Rmsprop>(arguments));
    if (name == "adagrad") return std::unique_ptr<UpdateRule>(std::make_unique<Adagrad>(arguments));
    if (arguments.flag("nesterov") && arguments.number("momentum") == 0)
        return inputError("nesterov needs a momentum above 0", arguments.path("nesterov"),
                          "set optimizer.momentum, for example to 0.9");
    if (arguments.flag("nesterov") && arguments.number("dampening") != 0)
        return inputError("nesterov needs a dampening of 0", arguments.path("dampening"),
                          "leave optimizer.dampening out");
    return std::unique_ptr<UpdateRule>(std::make_unique<Sgd>(arguments));
}

} // namespace trainyard::optim
