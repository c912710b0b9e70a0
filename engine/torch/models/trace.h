// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <torch/torch.h>

#include <utility>
#include <vector>

namespace trainyard::models {

// Records which layers ran and what came out. LibTorch's C++ modules have no forward hooks, so models call their layers
// through traced(); without a trace that costs one test of a thread-local pointer.
using Trace = std::vector<std::pair<const torch::nn::Module*, std::vector<std::int64_t>>>;

inline thread_local Trace* activeTrace = nullptr;

// For a layer that is called in another way, or a model that has parameters of its own.
inline void recordLayer(const torch::nn::Module& layer, const torch::Tensor& output) {
    if (activeTrace) activeTrace->emplace_back(&layer, output.sizes().vec());
}

template <class Holder>
torch::Tensor traced(Holder& layer, const torch::Tensor& x) {
    torch::Tensor y = layer->forward(x);
    recordLayer(*layer.ptr(), y);
    return y;
}

} // namespace trainyard::models
