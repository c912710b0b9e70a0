// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces that several models are made of.
#pragma once

#include "engine/torch/models/model.h"

namespace trainyard::models {

// A convolution without bias, padded by half its kernel.
torch::nn::Conv2d convolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride,
                              std::int64_t groups = 1);

// Kaiming's normal distribution over the fan-out for every convolution below `module` (He et al., Delving Deep into
// Rectifiers, 2015, arXiv:1502.01852), zero biases: what torchvision's convolutional networks start from.
void initialiseConvolutions(torch::nn::Module& module);

// Rule: channels scaled by a width are a multiple of eight that is at most a tenth below what was asked for.
std::int64_t wholeChannels(double wanted);

// x [B, ...] with whole samples set to zero with this probability, and the others scaled so that the mean stays: what a
// residual block adds (Huang et al., Deep Networks with Stochastic Depth, 2016, arXiv:1603.09382). Not in training: x.
torch::Tensor dropPath(const torch::Tensor& x, double probability, bool training);

// Parameters that several models have.
spec::ParamInfo dropPathInfo(double defaultValue);
spec::ParamInfo headDropoutInfo(double defaultValue);
spec::ParamInfo widthFactorInfo();

// A normal distribution cut off at two standard deviations or more: [-2, 2] as in torch.nn.init.trunc_normal_.
void truncatedNormal(torch::Tensor& tensor, double stddev);

// Kind Input unless the samples are images [C, H, W].
Result<void> needsImages(const spec::Choice& choice, const ModelContext& context);

} // namespace trainyard::models
