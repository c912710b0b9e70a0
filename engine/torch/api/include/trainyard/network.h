// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trainyard/config.h"

#include <torch/torch.h>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace trainyard::train {

// Any module whose forward() maps one tensor to one, whatever its type: made from a module's holder or shared pointer.
class AnyNetwork {
public:
    AnyNetwork() = default; // of no module
    template <class Module>
        requires std::is_base_of_v<torch::nn::Module, Module>
    AnyNetwork(std::shared_ptr<Module> module)
        : m_module(module), m_forward([module = module.get()](const torch::Tensor& x) { return module->forward(x); }) {}
    template <class Holder>
        requires requires(const Holder& holder) { holder.ptr()->forward(torch::Tensor()); }
    AnyNetwork(const Holder& holder) : AnyNetwork(holder.ptr()) {}

    torch::Tensor operator()(const torch::Tensor& x) const { return m_forward(x); }
    torch::nn::Module* operator->() const { return m_module.get(); }
    const std::shared_ptr<torch::nn::Module>& module() const { return m_module; }

private:
    std::shared_ptr<torch::nn::Module> m_module;
    std::function<torch::Tensor(const torch::Tensor&)> m_forward;
};

// One of the library's models by name (`trainyardctl models` lists them with their parameters): float32 on the CPU,
// initialised from torch's default generator. `sampleShape` is [channels, height, width], [features] or [tokens],
// `outputs` the number of classes, of columns or of known tokens, `task` as for loadDataset(). Throws InputError:
// unknown name, a task the model does not serve, a parameter out of range, a shape it cannot take.
AnyNetwork makeModel(const std::string& name, const Config& params, const std::vector<std::int64_t>& sampleShape,
                     std::int64_t outputs, const std::string& task = "classification");

} // namespace trainyard::train
