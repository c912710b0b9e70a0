// SPDX-License-Identifier: GPL-3.0-or-later
// When a kernel of this folder may replace LibTorch's own.
#pragma once

#include <ATen/record_function.h>
#include <ATen/TracerMode.h>
#include <torch/torch.h>

namespace trainyard::kernels {

inline bool plain(const torch::Tensor& tensor, torch::ScalarType type = torch::kFloat) {
    return tensor.is_cpu() && tensor.scalar_type() == type && tensor.layout() == torch::kStrided;
}

// A trace must hold operations that stock LibTorch has too, and a profiler must see the stock operation.
inline bool operationsAreWatched() { return at::tracer::impl::is_dispatch_enabled() || at::hasThreadLocalCallbacks(); }

} // namespace trainyard::kernels
