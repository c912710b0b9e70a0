// SPDX-License-Identifier: GPL-3.0-or-later
// The table of optimizers, and the parameters that several of them have.
#include "engine/spec/run/learning_rate.h"
#include "engine/torch/optim/optimizer_table.h"

namespace trainyard::optim {

using spec::ParamInfo;
using spec::ParamType;

ParamInfo lrInfo(double defaultValue) {
    return {.name = "lr",
            .title = Engine::tr("Learning rate"),
            .defaultValue = defaultValue,
            .min = 0.0,
            .max = spec::kMaxLearningRate,
            .minExclusive = true,
            .logScale = true,
            .help = Engine::tr("Size of each step.")};
}

ParamInfo epsInfo(double defaultValue) {
    return {.name = "eps",
            .title = Engine::tr("Epsilon"),
            .defaultValue = defaultValue,
            .min = 0.0,
            .max = 1.0,
            .minExclusive = true,
            .logScale = true,
            .help = Engine::tr("Keeps the denominator away from zero.")};
}

ParamInfo momentumInfo() {
    return {.name = "momentum",
            .title = Engine::tr("Momentum"),
            .defaultValue = 0.0,
            .min = 0.0,
            .max = 0.9999,
            .help = Engine::tr("Share of the previous step that is kept.")};
}

ParamInfo beta1Info(double defaultValue, const char* help) {
    return {.name = "beta1",
            .title = Engine::tr("Beta 1"),
            .defaultValue = defaultValue,
            .min = 0.0,
            .max = 0.9999,
            .help = help};
}

ParamInfo beta2Info(double defaultValue, const char* help) {
    return {.name = "beta2",
            .title = Engine::tr("Beta 2"),
            .defaultValue = defaultValue,
            .min = 0.0,
            .max = 0.999999,
            .help = help};
}

spec::Entry optimizerInfo(const char* name, const char* title, const char* help, std::vector<ParamInfo> params,
                          double weightDecay, const char* decayHelp) {
    params.push_back({.name = "weightDecay",
                      .title = Engine::tr("Weight decay"),
                      .defaultValue = weightDecay,
                      .min = 0.0,
                      .max = 10.0,
                      .logScale = true,
                      .help = decayHelp});
    params.push_back({.name = "decayNorms",
                      .title = Engine::tr("Decay biases and norms"),
                      .type = ParamType::Flag,
                      .defaultValue = true,
                      .help = Engine::tr("Off: weight decay leaves out biases and the weights of normalisations.")});
    return {.name = name, .title = title, .help = help, .params = std::move(params)};
}

torch::Tensor decayed(const torch::Tensor& gradient, const torch::Tensor& weights, double decay) {
    return decay != 0 ? gradient.add(weights, decay) : gradient;
}

std::vector<torch::Tensor> decayed(const UpdateGroup& group, double decay) {
    return decay != 0 ? at::_foreach_add(group.gradients, group.weights, decay) : group.gradients;
}

namespace {

const std::vector<OptimizerEntry>& optimizerTable() {
#define TRAINYARD_MAKE(entry) entry(),
    static const std::vector<OptimizerEntry> rows = {TRAINYARD_OPTIMIZERS(TRAINYARD_MAKE)};
#undef TRAINYARD_MAKE
    return rows;
}

} // namespace

std::vector<spec::Entry> optimizerEntries() {
    std::vector<spec::Entry> entries;
    for (const OptimizerEntry& row : optimizerTable()) entries.push_back(row.info);
    return entries;
}

Result<std::unique_ptr<UpdateRule>> makeUpdateRule(const spec::Choice& choice) {
    std::vector<std::string> names;
    for (const OptimizerEntry& row : optimizerTable()) names.push_back(row.info.name);
    TY_ASSIGN(const std::size_t row, train::findName(names, choice.name, "optimizer"));
    const train::Arguments arguments(choice, optimizerTable()[row].info, "optimizer");
    TY_TRY(arguments.check());
    return optimizerTable()[row].make(arguments);
}

} // namespace trainyard::optim
