// SPDX-License-Identifier: GPL-3.0-or-later
// The updates round as PyTorch's own (torch/optim/sgd.py, adam.py and adamw.py, the single-tensor form) round: the same
// operations in the same order.
#include "engine/torch/optim/optimizer.h"

#include "engine/torch/arguments.h"

#include <cmath>

namespace trainyard::optim {

using spec::ParamInfo;
using spec::ParamType;

namespace {

// A tensor kept per parameter, undefined until its first step.
struct Slot {
    std::string name;
    std::vector<torch::Tensor> tensors;
};

// What all kinds share: the parameters, the rate, and the saving of slots and step counts.
class Base : public Optimizer {
public:
    Base(std::string kind, NamedTensors parameters, double lr, std::vector<std::string> slots)
        : m_kind(std::move(kind)), m_parameters(std::move(parameters)), m_lr(lr),
          m_steps(m_parameters.size(), 0) {
        for (std::string& slot : slots)
            m_slots.push_back({std::move(slot), std::vector<torch::Tensor>(m_parameters.size())});
    }

    void step() final {
        const torch::NoGradGuard noGradients;
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            torch::Tensor& parameter = m_parameters[i].second;
            if (!parameter.grad().defined()) continue;
            ++m_steps[i];
            update(i, parameter, parameter.grad());
        }
    }
    void setLr(double lr) final { m_lr = lr; }
    double lr() const final { return m_lr; }

    OptimizerState state() const final {
        OptimizerState state;
        state.kind = m_kind;
        state.scalars["lr"] = m_lr;
        for (std::size_t i = 0; i < m_parameters.size(); ++i) {
            const std::string& name = m_parameters[i].first;
            if (m_steps[i] > 0) state.scalars[name + ".step"] = static_cast<double>(m_steps[i]);
            for (const Slot& slot : m_slots)
                if (slot.tensors[i].defined())
                    state.tensors.emplace_back(name + "." + slot.name,
                                               slot.tensors[i].detach().to(torch::kCPU, /*non_blocking=*/false,
                                                                           /*copy=*/true));
        }
        return state;
    }

    Result<void> restore(const OptimizerState& state) final {
        if (state.kind != m_kind)
            return inputError("the state is that of " + (state.kind.empty() ? "no optimizer" : state.kind)
                                  + ", and the run uses " + m_kind,
                              "optimizer.name");
        std::vector<Slot> slots = m_slots;
        for (Slot& slot : slots)
            slot.tensors.assign(m_parameters.size(), torch::Tensor());
        for (const auto& [name, tensor] : state.tensors) TY_TRY(place(slots, name, tensor));
        std::vector<std::int64_t> steps(m_parameters.size(), 0);
        for (std::size_t i = 0; i < m_parameters.size(); ++i)
            if (const auto found = state.scalars.find(m_parameters[i].first + ".step"); found != state.scalars.end())
                steps[i] = static_cast<std::int64_t>(found->second);
        m_slots = std::move(slots);
        m_steps = std::move(steps);
        if (const auto found = state.scalars.find("lr"); found != state.scalars.end()) m_lr = found->second;
        return {};
    }

protected:
    virtual void update(std::size_t index, torch::Tensor& parameter, const torch::Tensor& gradient) = 0;

    // The slot's tensor, zero at first.
    torch::Tensor& slot(std::size_t which, std::size_t index) {
        torch::Tensor& tensor = m_slots[which].tensors[index];
        if (!tensor.defined()) tensor = torch::zeros_like(m_parameters[index].second);
        return tensor;
    }
    std::int64_t steps(std::size_t index) const { return m_steps[index]; }

    std::string m_kind;
    NamedTensors m_parameters;
    double m_lr;
    std::vector<Slot> m_slots;

private:
    Result<void> place(std::vector<Slot>& slots, const std::string& name, const torch::Tensor& tensor) const {
        for (Slot& slot : slots)
            for (std::size_t i = 0; i < m_parameters.size(); ++i) {
                const auto& [parameterName, parameter] = m_parameters[i];
                if (name != parameterName + "." + slot.name) continue;
                if (tensor.sizes() != parameter.sizes())
                    return inputError("the optimizer's " + name + " has another shape than its parameter",
                                      "optimizer state");
                slot.tensors[i] = torch::empty_like(parameter).detach();
                slot.tensors[i].copy_(tensor);
                return {};
            }
        return inputError("the optimizer's " + name + " belongs to no parameter of the model", "optimizer state");
    }

    std::vector<std::int64_t> m_steps;
};

class Sgd final : public Base {
public:
    Sgd(NamedTensors parameters, const train::Arguments& arguments)
        : Base("sgd", std::move(parameters), arguments.number("lr"), {"momentum"}),
          m_momentum(arguments.number("momentum")), m_weightDecay(arguments.number("weightDecay")),
          m_nesterov(arguments.flag("nesterov")) {}

private:
    void update(std::size_t index, torch::Tensor& parameter, const torch::Tensor& gradient) override {
        torch::Tensor direction = m_weightDecay != 0 ? gradient.add(parameter, m_weightDecay) : gradient;
        if (m_momentum != 0) {
            torch::Tensor& velocity = m_slots[0].tensors[index];
            if (!velocity.defined()) velocity = direction.clone().detach();
            else velocity.mul_(m_momentum).add_(direction);
            direction = m_nesterov ? direction.add(velocity, m_momentum) : velocity;
        }
        parameter.add_(direction, -m_lr);
    }

    double m_momentum, m_weightDecay;
    bool m_nesterov;
};

class Adam final : public Base {
public:
    Adam(NamedTensors parameters, const train::Arguments& arguments, bool decoupled)
        : Base(decoupled ? "adamw" : "adam", std::move(parameters), arguments.number("lr"), {"expAvg", "expAvgSq"}),
          m_beta1(arguments.number("beta1")), m_beta2(arguments.number("beta2")), m_eps(arguments.number("eps")),
          m_weightDecay(arguments.number("weightDecay")), m_decoupled(decoupled) {}

private:
    void update(std::size_t index, torch::Tensor& parameter, const torch::Tensor& gradient) override {
        torch::Tensor direction = gradient;
        if (m_decoupled) parameter.mul_(1.0 - m_lr * m_weightDecay);
        else if (m_weightDecay != 0) direction = gradient.add(parameter, m_weightDecay);
        torch::Tensor& average = slot(0, index);
        torch::Tensor& square = slot(1, index);
        average.mul_(m_beta1).add_(direction, 1.0 - m_beta1);
        square.mul_(m_beta2).addcmul_(direction, direction, 1.0 - m_beta2);
        const auto count = static_cast<double>(steps(index));
        const double correction1 = 1.0 - std::pow(m_beta1, count), correction2 = 1.0 - std::pow(m_beta2, count);
        const torch::Tensor denominator = square.sqrt().div_(std::sqrt(correction2)).add_(m_eps);
        parameter.addcdiv_(average, denominator, -(m_lr / correction1));
    }

    double m_beta1, m_beta2, m_eps, m_weightDecay;
    bool m_decoupled;
};

ParamInfo lrInfo(double standard) {
    return {.name = "lr", .title = "Learning rate", .defaultValue = standard, .min = 0.0, .max = 100.0,
            .minExclusive = true, .logScale = true, .help = "Size of each step."};
}

ParamInfo weightDecayInfo(double standard, const char* help) {
    return {.name = "weightDecay", .title = "Weight decay", .defaultValue = standard, .min = 0.0, .max = 10.0,
            .logScale = true, .help = help};
}

spec::Entry sgdInfo() {
    spec::Entry entry;
    entry.name = "sgd";
    entry.title = "SGD";
    entry.help = "Stochastic gradient descent, with momentum if wanted.";
    entry.params = {lrInfo(0.05),
                    {.name = "momentum", .title = "Momentum", .defaultValue = 0.0, .min = 0.0, .max = 0.9999,
                     .help = "How much of the last step is kept."},
                    {.name = "nesterov", .title = "Nesterov", .type = ParamType::Flag, .defaultValue = false,
                     .help = "Look ahead along the momentum; needs momentum."},
                    weightDecayInfo(0.0, "Pulls weights to zero through the gradient.")};
    return entry;
}

spec::Entry adamInfo(bool decoupled) {
    spec::Entry entry;
    entry.name = decoupled ? "adamw" : "adam";
    entry.title = decoupled ? "AdamW" : "Adam";
    entry.help = decoupled ? "Adam with weight decay apart from the gradient." : "Steps scaled by each gradient's past.";
    entry.params = {lrInfo(0.001),
                    {.name = "beta1", .title = "Beta 1", .defaultValue = 0.9, .min = 0.0, .max = 0.9999,
                     .help = "Decay of the average of gradients."},
                    {.name = "beta2", .title = "Beta 2", .defaultValue = 0.999, .min = 0.0, .max = 0.999999,
                     .help = "Decay of the average of their squares."},
                    {.name = "eps", .title = "Epsilon", .defaultValue = 1e-8, .min = 0.0, .max = 1.0,
                     .minExclusive = true, .logScale = true, .help = "Keeps the division from zero."},
                    weightDecayInfo(decoupled ? 0.01 : 0.0,
                                    decoupled ? "Pulls weights to zero at each step."
                                              : "Pulls weights to zero through the gradient.")};
    return entry;
}

} // namespace

std::vector<spec::Entry> optimizerEntries() { return {sgdInfo(), adamInfo(false), adamInfo(true)}; }

Result<std::unique_ptr<Optimizer>> makeOptimizer(const spec::Choice& choice, const NamedTensors& parameters) {
    const std::vector<spec::Entry> entries = optimizerEntries();
    std::vector<std::string> names;
    for (const spec::Entry& entry : entries) names.push_back(entry.name);
    TY_ASSIGN(const std::size_t row, train::findName(names, choice.name, "optimizer"));
    const train::Arguments arguments(choice, entries[row], "optimizer");
    TY_TRY(arguments.check());
    if (choice.name != "sgd")
        return std::unique_ptr<Optimizer>(std::make_unique<Adam>(parameters, arguments, choice.name == "adamw"));
    if (arguments.flag("nesterov") && arguments.number("momentum") == 0)
        return inputError("nesterov needs a momentum above 0", arguments.path("nesterov"),
                          "set optimizer.momentum, for example to 0.9");
    return std::unique_ptr<Optimizer>(std::make_unique<Sgd>(parameters, arguments));
}

NamedTensors namedParameters(const torch::nn::Module& module) {
    NamedTensors parameters;
    for (const auto& item : module.named_parameters())
        if (item.value().requires_grad()) parameters.emplace_back(item.key(), item.value());
    return parameters;
}

void zeroGradients(const NamedTensors& parameters) {
    const torch::NoGradGuard noGradients;
    for (const auto& [name, parameter] : parameters) {
        torch::Tensor gradient = parameter.grad();
        if (!gradient.defined()) continue;
        gradient.requires_grad_(false);
        gradient.zero_();
    }
}

} // namespace trainyard::optim
