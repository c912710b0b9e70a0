// SPDX-License-Identifier: GPL-3.0-or-later
// What the run file may say of optimizers. Names and defaults follow PyTorch's where it has them.
#include "engine/spec/learning_rate.h"
#include "engine/torch/optim/update_rule.h"

namespace trainyard::optim {
namespace {

using spec::ParamInfo;
using spec::ParamType;

ParamInfo lrInfo(double standard) {
    return {.name = "lr",
            .title = "Learning rate",
            .defaultValue = standard,
            .min = 0.0,
            .max = spec::kMaxLearningRate,
            .minExclusive = true,
            .logScale = true,
            .help = "Size of each step."};
}

ParamInfo epsInfo(double standard) {
    return {.name = "eps",
            .title = "Epsilon",
            .defaultValue = standard,
            .min = 0.0,
            .max = 1.0,
            .minExclusive = true,
            .logScale = true,
            .help = "Keeps the division from zero."};
}

ParamInfo momentumInfo() {
    return {.name = "momentum",
            .title = "Momentum",
            .defaultValue = 0.0,
            .min = 0.0,
            .max = 0.9999,
            .help = "How much of the last step is kept."};
}

// The two that every optimizer has.
void addDecay(spec::Entry& entry, double standard = 0,
              const char* help = "Pulls weights to zero through the gradient.") {
    entry.params.push_back({.name = "weightDecay",
                            .title = "Weight decay",
                            .defaultValue = standard,
                            .min = 0.0,
                            .max = 10.0,
                            .logScale = true,
                            .help = help});
    entry.params.push_back({.name = "decayNorms",
                            .title = "Decay norms",
                            .type = ParamType::Flag,
                            .defaultValue = true,
                            .help = "Off: weight decay leaves out biases and the weights of normalisations."});
}

spec::Entry entryOf(const char* name, const char* title, const char* help, std::vector<ParamInfo> params) {
    spec::Entry entry;
    entry.name = name;
    entry.title = title;
    entry.help = help;
    entry.params = std::move(params);
    return entry;
}

spec::Entry sgdInfo() {
    auto entry = entryOf("sgd", "SGD", "Stochastic gradient descent, with momentum if wanted.",
                         {lrInfo(0.05),
                          momentumInfo(),
                          {.name = "dampening",
                           .title = "Dampening",
                           .defaultValue = 0.0,
                           .min = 0.0,
                           .max = 1.0,
                           .help = "How much of each gradient the momentum leaves out."},
                          {.name = "nesterov",
                           .title = "Nesterov",
                           .type = ParamType::Flag,
                           .defaultValue = false,
                           .help = "Look ahead along the momentum; needs momentum."}});
    addDecay(entry);
    return entry;
}

spec::Entry adamInfo(bool decoupled) {
    auto entry =
        entryOf(decoupled ? "adamw" : "adam", decoupled ? "AdamW" : "Adam",
                decoupled ? "Adam with weight decay apart from the gradient." : "Steps scaled by each gradient's past.",
                {lrInfo(0.001),
                 {.name = "beta1",
                  .title = "Beta 1",
                  .defaultValue = 0.9,
                  .min = 0.0,
                  .max = 0.9999,
                  .help = "Decay of the average of gradients."},
                 {.name = "beta2",
                  .title = "Beta 2",
                  .defaultValue = 0.999,
                  .min = 0.0,
                  .max = 0.999999,
                  .help = "Decay of the average of their squares."},
                 epsInfo(1e-8)});
    if (decoupled) addDecay(entry, 0.01, "Pulls weights to zero at each step.");
    else addDecay(entry);
    return entry;
}

spec::Entry rmspropInfo() {
    auto entry = entryOf("rmsprop", "RMSprop", "Steps divided by a running root mean square of the gradients.",
                         {lrInfo(0.01),
                          {.name = "alpha",
                           .title = "Alpha",
                           .defaultValue = 0.99,
                           .min = 0.0,
                           .max = 0.999999,
                           .help = "Decay of the average of squared gradients."},
                          epsInfo(1e-8),
                          momentumInfo(),
                          {.name = "centered",
                           .title = "Centered",
                           .type = ParamType::Flag,
                           .defaultValue = false,
                           .help = "Divide by an estimate of the variance."}});
    addDecay(entry);
    return entry;
}

spec::Entry adagradInfo() {
    auto entry = entryOf("adagrad", "Adagrad", "Steps divided by the root of all squared gradients so far.",
                         {lrInfo(0.01),
                          {.name = "lrDecay",
                           .title = "Rate decay",
                           .defaultValue = 0.0,
                           .min = 0.0,
                           .max = 1.0,
                           .help = "The rate is divided by 1 + this times the steps done."},
                          {.name = "initialSum",
                           .title = "Initial sum",
                           .defaultValue = 0.0,
                           .min = 0.0,
                           .max = 1e6,
                           .help = "What the sum of squares begins with."},
                          epsInfo(1e-10)});
    addDecay(entry);
    return entry;
}

} // namespace

std::vector<spec::Entry> optimizerEntries() {
    return {sgdInfo(), adamInfo(false), adamInfo(true), rmspropInfo(), adagradInfo()};
}

} // namespace trainyard::optim
