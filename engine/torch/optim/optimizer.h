// SPDX-License-Identifier: GPL-3.0-or-later
// A thin layer over torch::optim: made from the run file's choice, and saved and restored whole. LibTorch 1.13 restores
// an optimizer's state but not its options, and names state by addresses; here it is by parameter name.
#pragma once

#include "engine/base/result.h"
#include "engine/spec/catalog.h"

#include <torch/torch.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::optim {

using NamedTensors = std::vector<std::pair<std::string, torch::Tensor>>;

// All the state of an optimizer. Tensors are named "<parameter>.<slot>" (slots: momentum, expAvg, expAvgSq); scalars
// "<parameter>.step" and "lr".
struct OptimizerState {
    std::string kind; // "sgd", "adam", "adamw"
    NamedTensors tensors;
    std::map<std::string, double> scalars;
};

class Optimizer {
public:
    virtual ~Optimizer() = default;
    // One update from the gradients in the parameters; those without a gradient are left as they are.
    virtual void step() = 0;
    virtual void setLr(double lr) = 0;
    virtual double lr() const = 0;
    // Copies on the CPU; later steps do not change them.
    virtual OptimizerState state() const = 0;
    // The next step is then bit-equal to that of the optimizer saved. Input when the kind, a name or a shape differs;
    // then nothing was changed.
    virtual Result<void> restore(const OptimizerState& state) = 0;
};

// Kind Input: unknown name or a parameter out of range. `parameters` keep their order.
Result<std::unique_ptr<Optimizer>> makeOptimizer(const spec::Choice& choice, const NamedTensors& parameters);
// The parameters of a module that take gradients, by name, in registration order.
NamedTensors namedParameters(const torch::nn::Module& module);

// Sets each gradient to zero in place, which keeps gradients that are views of a bucket (1.13's own detaches them).
void zeroGradients(const NamedTensors& parameters);

std::vector<spec::Entry> optimizerEntries();

} // namespace trainyard::optim
