// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

namespace trainyard::kernels {

// torch::nn::Conv2d with the same parameters, names and initialisation. As the first layer of a network, whose input
// needs no gradient, it can also be computed by loops of our own, which are faster than LibTorch where channels are
// few; useKernels() has set which of them serves which shape. Else it is torch::nn::Conv2d to the bit.
class Conv2dImpl : public torch::nn::Conv2dImpl {
public:
    using torch::nn::Conv2dImpl::Conv2dImpl;
    torch::Tensor forward(const torch::Tensor& x);
};
TORCH_MODULE(Conv2d);

// torch::max_pool2d over square windows, to the bit; by loops of our own unless kernels are to be LibTorch's.
torch::Tensor maxPool2d(const torch::Tensor& x, std::int64_t side, std::int64_t stride, std::int64_t padding = 0);

} // namespace trainyard::kernels
