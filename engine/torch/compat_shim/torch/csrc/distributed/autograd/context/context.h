// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-in for a header that c10d/reducer.hpp includes and Debian 12's libtorch-dev 1.13 does not ship. reducer.hpp
// needs only these two names; this project never makes a context.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <memory>

namespace torch::distributed::autograd {

class DistAutogradContext {
public:
    using GradCallback = std::function<bool(at::Tensor&)>;
};
using ContextPtr = std::shared_ptr<DistAutogradContext>;

} // namespace torch::distributed::autograd
