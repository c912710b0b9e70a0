// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/torch/base/compat.h"

#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <functional>
#include <memory>
#include <vector>

namespace trainyard::train {

// Calls back after autograd has put a parameter's gradient in place, in the thread that runs backward. Autograd keeps
// its nodes as long as the parameters live: the hooks do nothing once this is gone.
class GradientHooks {
public:
    using Ready = std::function<void(std::size_t parameter)>;
    GradientHooks(const std::vector<torch::Tensor>& parameters, Ready ready) : m_ready(std::make_shared<Ready>(ready)) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            auto node = torch::autograd::impl::grad_accumulator(parameters[i]);
            node->add_post_hook(std::make_unique<Hook>(m_ready, i));
            m_nodes.push_back(std::move(node));
        }
    }

private:
    // Own class: the one of LibTorch moved between versions.
    class Hook : public torch::autograd::FunctionPostHook {
    public:
        Hook(const std::shared_ptr<Ready>& ready, std::size_t index) : m_ready(ready), m_index(index) {}
        torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                                  const torch::autograd::variable_list&) override {
            if (const auto ready = m_ready.lock()) (*ready)(m_index);
            return outputs;
        }

    private:
        std::weak_ptr<Ready> m_ready;
        std::size_t m_index;
    };

    std::shared_ptr<Ready> m_ready;
    std::vector<compat::NodePtr> m_nodes;
};

} // namespace trainyard::train
