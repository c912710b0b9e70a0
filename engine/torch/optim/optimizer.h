// SPDX-License-Identifier: GPL-3.0-or-later
// An update rule together with the parameters it works on and what it remembers of them; made from the run file's
// choice, and saved and restored whole. LibTorch's own restores an optimizer's state but not its options, and names
// state by addresses; here it is by parameter name.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/run/catalog.h"

#include <torch/torch.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::optim {

class UpdateRule;
using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

// All the state of an optimizer. Tensors are named "<parameter>.<slot>" (momentum, expAvg, expAvgSq and the like);
// scalars "<parameter>.step" and "lr".
struct OptimizerState {
    std::string kind; // "sgd", "adam", ...
    NamedTensors tensors;
    std::map<std::string, double> scalars;
};

// The parameters, their slots and the rule that updates them.
class Optimizer {
public:
    // `weightDecay` and `rateFactors` (of the learning rate; none: 1) have one value for
    // each parameter.
    Optimizer(std::string kind, std::unique_ptr<UpdateRule> rule, NamedTensors parameters, double lr,
              std::vector<double> weightDecay, std::vector<double> rateFactors = {});
    ~Optimizer();
    Optimizer(const Optimizer&) = delete;
    Optimizer& operator=(const Optimizer&) = delete;

    // One update from the gradients in the parameters; those without a gradient are left as they are.
    void step();
    // The same, with the same bits, of all parameters by few kernels, as step() does on a device. False, and nothing is
    // changed: the rule has no such form, or not all parameters have a gradient and as many steps.
    bool stepTogether();
    void setLr(double lr) { m_lr = lr; }
    double lr() const { return m_lr; }

    // Copies on the CPU; later steps do not change them. Or what `take` makes of each tensor of slotTensors().
    OptimizerState state() const;
    using Copy = std::function<torch::Tensor(const std::string& name, const torch::Tensor& live)>;
    OptimizerState state(const Copy& copy) const;
    // The next step is then bit-equal to that of the optimizer saved. Input when the kind, a name or a shape differs;
    // then nothing was changed. Tensors of slotTensors() are written in place.
    Result<void> restore(const OptimizerState& state);

    const NamedTensors& parameters() const { return m_parameters; }
    // The live state, "<parameter>.<slot>", zero before the first step; to be copied between ranks in place, together
    // with the steps.
    NamedTensors slotTensors() const;
    // Steps done on each parameter.
    const std::vector<std::int64_t>& steps() const { return m_steps; }
    void setSteps(std::vector<std::int64_t> steps) { m_steps = std::move(steps); }

    // For those who update the weights themselves, with the rule: what it needs, and that it was done on all of them.
    const UpdateRule& rule() const { return *m_rule; }
    double weightDecay(std::size_t parameter) const { return m_weightDecay[parameter]; }
    double rateFactor(std::size_t parameter) const { return m_rateFactors[parameter]; } // of the learning rate
    std::vector<torch::Tensor>& slots(std::size_t parameter) { return m_slots[parameter]; }
    void countStep() {
        for (auto& steps : m_steps) ++steps;
    }

private:
    void update(std::size_t index, const torch::Tensor& gradient);

    std::string m_kind;
    std::unique_ptr<UpdateRule> m_rule;
    NamedTensors m_parameters;
    double m_lr;
    std::vector<double> m_weightDecay, m_rateFactors;
    std::vector<std::int64_t> m_steps;
    std::vector<std::vector<torch::Tensor>> m_slots; // of each parameter, with its strides
};

// Kind Input: unknown name or a parameter out of range. `parameters` keep their order; `factors`: of the learning rate,
// by parameter, where they are not 1.
Result<std::unique_ptr<Optimizer>> makeOptimizer(const spec::Choice& choice, const NamedTensors& parameters,
                                                 const std::map<std::string, double>& factors = {});
// The parameters of a module that take gradients, by name, in registration order; one that several modules share is
// there once, under its first name.
NamedTensors namedParameters(const torch::nn::Module& module);

// Sets each gradient to zero in place, which keeps gradients that are views of a bucket (1.13's own detaches them).
void zeroGradients(const NamedTensors& parameters);

std::vector<spec::Entry> optimizerEntries();

} // namespace trainyard::optim
