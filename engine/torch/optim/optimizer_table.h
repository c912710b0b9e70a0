// SPDX-License-Identifier: GPL-3.0-or-later
// The optimizers that a run file can name, in the order in which they are listed. A row here and the function it names,
// in this folder, are all that a new one takes.
#pragma once

#include "engine/torch/base/arguments.h"
#include "engine/torch/optim/update_rule.h"

// clang-format off
#define TRAINYARD_OPTIMIZERS(ROW) \
    ROW(sgdOptimizer)             \
    ROW(adamOptimizer)            \
    ROW(adamwOptimizer)           \
    ROW(lionOptimizer)            \
    ROW(rmspropOptimizer)         \
    ROW(adagradOptimizer)
// clang-format on

namespace trainyard::optim {

// One row of the table of optimizers. Semantics, names and defaults follow torch.optim's,
// which has no Lion:
//   sgd      SGD: momentum and Nesterov's as in Sutskever et al., On the Importance of Initialization and Momentum in
//            Deep Learning, 2013
//   adam     Adam: Kingma and Ba, 2014, arXiv:1412.6980
//   adamw    AdamW: Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2017, arXiv:1711.05101
//   lion     Lion: Chen et al., Symbolic Discovery of Optimization Algorithms, 2023, arXiv:2302.06675
//   rmsprop  RMSprop: Tieleman and Hinton, lecture 6.5, 2012; `centered`: Graves, 2013, arXiv:1308.0850
//   adagrad  Adagrad: Duchi, Hazan and Singer, Adaptive Subgradient Methods, 2011
struct OptimizerEntry {
    spec::Entry info;
    // Input: parameters that fit their ranges but not one another.
    Result<std::unique_ptr<UpdateRule>> (*make)(const train::Arguments& arguments);
};

#define TRAINYARD_DECLARE(entry) OptimizerEntry entry();
TRAINYARD_OPTIMIZERS(TRAINYARD_DECLARE)
#undef TRAINYARD_DECLARE

// Parameters that several optimizers have.
spec::ParamInfo lrInfo(double defaultValue);
spec::ParamInfo epsInfo(double defaultValue);
spec::ParamInfo momentumInfo();
spec::ParamInfo beta1Info(double defaultValue, const char* help);
spec::ParamInfo beta2Info(double defaultValue, const char* help);
// An entry of these parameters, and weightDecay and decayNorms, which every optimizer has.
spec::Entry optimizerInfo(const char* name, const char* title, const char* help, std::vector<spec::ParamInfo> params,
                          double weightDecay = 0,
                          const char* decayHelp = Engine::tr("Pulls weights to zero through the gradient."));

inline float single(double value) { return static_cast<float>(value); }
// The gradient with the weights' decay added, as PyTorch's optimizers add it.
torch::Tensor decayed(const torch::Tensor& gradient, const torch::Tensor& weights, double decay);
std::vector<torch::Tensor> decayed(const UpdateGroup& group, double decay);

} // namespace trainyard::optim
