// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/optim/optimizer.h"

#include "engine/torch/base/arguments.h"
#include "engine/torch/optim/update_rule.h"

#include <algorithm>

namespace trainyard::optim {
namespace {

// Plain memory in the parameter's own order?
bool isPlain(const torch::Tensor& tensor, const torch::Tensor& parameter) {
    return tensor.is_cpu() && tensor.scalar_type() == torch::kFloat && tensor.layout() == torch::kStrided &&
           tensor.strides() == parameter.strides() && tensor.is_non_overlapping_and_dense();
}

} // namespace

Optimizer::Optimizer(std::string kind, std::unique_ptr<UpdateRule> rule, NamedTensors parameters, double lr,
                     std::vector<double> weightDecay, std::vector<double> rateFactors)
    : m_kind(std::move(kind)), m_rule(std::move(rule)), m_parameters(std::move(parameters)), m_lr(lr),
      m_weightDecay(std::move(weightDecay)),
      m_rateFactors(rateFactors.empty() ? std::vector<double>(m_parameters.size(), 1) : std::move(rateFactors)),
      m_steps(m_parameters.size(), 0) {
    const std::size_t slots = m_rule->slots().size();
    for (const auto& [name, parameter] : m_parameters) {
        auto& tensors = m_slots.emplace_back();
        for (std::size_t s = 0; s < slots; ++s)
            tensors.push_back(torch::full_like(parameter.detach(), m_rule->firstValue()));
    }
}

Optimizer::~Optimizer() = default;

void Optimizer::step() {
    const torch::NoGradGuard noGradients;
    if (!m_parameters.empty() && !m_parameters.front().second.is_cpu() && stepTogether()) return;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        const torch::Tensor& gradient = m_parameters[i].second.grad();
        if (!gradient.defined()) continue;
        ++m_steps[i];
        update(i, gradient);
    }
}

bool Optimizer::stepTogether() {
    const torch::NoGradGuard noGradients;
    std::map<std::pair<double, double>, UpdateGroup> groups; // by decay and factor of the rate
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        const auto& parameter = m_parameters[i].second;
        if (!parameter.grad().defined() || m_steps[i] != m_steps.front()) return false;
        UpdateGroup& group = groups[{m_weightDecay[i], m_rateFactors[i]}];
        group.slots.resize(m_slots[i].size());
        group.weights.push_back(parameter);
        group.gradients.push_back(parameter.grad());
        for (std::size_t s = 0; s < m_slots[i].size(); ++s) group.slots[s].push_back(m_slots[i][s]);
    }
    // All groups have the same rule: the first says whether it can.
    for (const auto& [settings, group] : groups)
        if (!m_rule->updateMany(group, {m_lr * settings.second, settings.first, m_steps.front() + 1})) return false;
    countStep();
    return true;
}

void Optimizer::update(std::size_t index, const torch::Tensor& gradient) {
    torch::Tensor& parameter = m_parameters[index].second;
    auto& slots = m_slots[index];
    const UpdateSettings settings{m_lr * m_rateFactors[index], m_weightDecay[index], m_steps[index]};
    bool plain = isPlain(parameter, parameter) && isPlain(gradient, parameter);
    for (const auto& slot : slots) plain = plain && isPlain(slot, parameter);
    if (!plain) return m_rule->update(parameter, gradient, slots, settings);
    UpdateBlock block;
    block.count = static_cast<std::size_t>(parameter.numel());
    block.gradient = gradient.data_ptr<float>();
    block.weights = block.newWeights = parameter.data_ptr<float>();
    for (std::size_t s = 0; s < slots.size(); ++s) block.slots[s] = block.newSlots[s] = slots[s].data_ptr<float>();
    m_rule->update(block, settings);
}

NamedTensors Optimizer::slotTensors() const {
    const auto names = m_rule->slots();
    NamedTensors tensors;
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
        for (std::size_t s = 0; s < names.size(); ++s)
            tensors.emplace_back(m_parameters[i].first + "." + names[s], m_slots[i][s]);
    return tensors;
}

OptimizerState Optimizer::state() const {
    return state([](const std::string&, const torch::Tensor& live) {
        return live.to(torch::kCPU, live.scalar_type(), /*non_blocking=*/false, /*copy=*/true);
    });
}

OptimizerState Optimizer::state(const Copy& copy) const {
    const auto names = m_rule->slots();
    OptimizerState state;
    state.kind = m_kind;
    state.scalars["lr"] = m_lr;
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        if (m_steps[i] == 0) continue; // still as it was made
        const std::string& name = m_parameters[i].first;
        state.scalars[name + ".step"] = static_cast<double>(m_steps[i]);
        for (std::size_t s = 0; s < names.size(); ++s) {
            std::string slot = name + "." + names[s];
            auto copied = copy(slot, m_slots[i][s]);
            state.tensors.emplace_back(std::move(slot), std::move(copied));
        }
    }
    return state;
}

Result<void> Optimizer::restore(const OptimizerState& state) {
    if (state.kind != m_kind)
        return inputError("the state is that of " + (state.kind.empty() ? "no optimizer" : state.kind) +
                              ", and the run uses " + m_kind,
                          "optimizer.name",
                          state.kind.empty() ? "begin without a checkpoint"
                                             : "set it to \"" + state.kind + "\", or begin without a checkpoint")
            .withCode(ErrorCode::CheckpointMisfit);
    std::map<std::string, torch::Tensor> live;
    for (const auto& [name, tensor] : slotTensors()) live.emplace(name, tensor);
    const auto names = m_rule->slots();
    for (const auto& [name, tensor] : state.tensors) {
        const auto found = live.find(name);
        if (found != live.end() && found->second.sizes() == tensor.sizes()) continue;
        if (found != live.end())
            return inputError("the optimizer's " + name + " has another shape than its parameter", "optimizer state");
        // A slot that the rule as it is set now has no use for (momentum, with a momentum of 0) is no fault.
        const std::string owner = name.substr(0, name.rfind('.'));
        const bool known = std::any_of(m_parameters.begin(), m_parameters.end(),
                                       [&](const auto& parameter) { return parameter.first == owner; });
        if (!known)
            return inputError("the optimizer's " + name + " belongs to no parameter of the model", "optimizer state");
    }
    const torch::NoGradGuard noGradients;
    for (auto& [name, tensor] : live) tensor.fill_(m_rule->firstValue());
    for (const auto& [name, tensor] : state.tensors)
        if (const auto found = live.find(name); found != live.end()) found->second.copy_(tensor);
    for (std::size_t i = 0; i < m_parameters.size(); ++i) {
        const auto found = state.scalars.find(m_parameters[i].first + ".step");
        m_steps[i] = found == state.scalars.end() ? 0 : static_cast<std::int64_t>(found->second);
    }
    if (const auto found = state.scalars.find("lr"); found != state.scalars.end()) m_lr = found->second;
    return {};
}

Result<std::unique_ptr<Optimizer>> makeOptimizer(const spec::Choice& choice, const NamedTensors& parameters,
                                                 const std::map<std::string, double>& factors) {
    TY_ASSIGN(auto rule, makeUpdateRule(choice));
    const std::vector<spec::Entry> entries = optimizerEntries();
    const auto entry =
        std::find_if(entries.begin(), entries.end(), [&](const spec::Entry& each) { return each.name == choice.name; });
    const train::Arguments arguments(choice, *entry, "optimizer");
    std::vector<double> weightDecay, rateFactors;
    for (const auto& [name, parameter] : parameters) {
        const bool decays = parameter.dim() > 1 || arguments.flag("decayNorms");
        weightDecay.push_back(decays ? arguments.number("weightDecay") : 0);
        const auto factor = factors.find(name);
        rateFactors.push_back(factor == factors.end() ? 1 : factor->second);
    }
    return std::make_unique<Optimizer>(choice.name, std::move(rule), parameters, arguments.number("lr"),
                                       std::move(weightDecay), std::move(rateFactors));
}

NamedTensors namedParameters(const torch::nn::Module& module) {
    NamedTensors parameters;
    for (const auto& item : module.named_parameters()) {
        const auto& tensor = item.value();
        const bool known = std::any_of(parameters.begin(), parameters.end(),
                                       [&](const auto& other) { return other.second.is_same(tensor); });
        if (tensor.requires_grad() && !known) parameters.emplace_back(item.key(), tensor);
    }
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
