// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/models/recompute.h"

#include "engine/torch/base/compat.h"

#include <ATen/Context.h>
#include <torch/custom_class.h>

#include <mutex>
#include <optional>

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Block = std::function<torch::Tensor(const torch::Tensor&)>;
using train::compat::Autocast;
using train::compat::AutocastState;

torch::Tensor stateOf(at::Generator& generator) {
    const std::lock_guard lock(generator.mutex());
    return generator.get_state();
}

void setState(at::Generator& generator, const torch::Tensor& state) {
    const std::lock_guard lock(generator.mutex());
    generator.set_state(state);
}

// What the backward pass needs besides the input.
struct KeptBlock final : torch::CustomClassHolder {
    KeptBlock(Block work, const torch::Device& device)
        : block(std::move(work)), draws(device), autocast(train::compat::autocastState(device.type())) {}
    Block block;
    Draws draws;
    AutocastState autocast;
    std::vector<torch::Tensor> parameters;
};

class RecomputeFunction final : public torch::autograd::Function<RecomputeFunction> {
public:
    static torch::Tensor forward(AutogradContext* context, const torch::Tensor& x, at::TensorList parameters,
                                 const c10::intrusive_ptr<KeptBlock>& kept) {
        kept->parameters = parameters.vec();
        context->save_for_backward({x});
        context->saved_data["kept"] = c10::IValue::make_capsule(kept);
        context->saved_data["x"] = x.requires_grad();
        return kept->block(x);
    }

    static variable_list backward(AutogradContext* context, const variable_list& outputs) {
        const auto capsule = context->saved_data["kept"].toCapsule();
        auto& kept = static_cast<KeptBlock&>(*capsule);
        variable_list gradients(kept.parameters.size() + 2);
        if (!outputs[0].defined()) return gradients;
        const bool ofInput = context->saved_data["x"].toBool();
        const torch::Tensor x = context->get_saved_variables()[0].detach().requires_grad_(ofInput);
        torch::Tensor y;
        {
            const torch::AutoGradMode record(true);
            const Draws::Again same(kept.draws);
            std::optional<Autocast> autocast;
            if (kept.autocast.enabled) autocast.emplace(x.device().type(), kept.autocast.type);
            y = kept.block(x);
        }
        variable_list wanted;
        std::vector<std::size_t> places;
        const auto want = [&](const torch::Tensor& tensor, std::size_t place) {
            if (!tensor.requires_grad()) return;
            wanted.push_back(tensor);
            places.push_back(place);
        };
        want(x, 0);
        for (std::size_t i = 0; i < kept.parameters.size(); ++i) want(kept.parameters[i], i + 1);
        const variable_list found = torch::autograd::grad({y}, wanted, {outputs[0]}, /*retain_graph=*/{},
                                                          /*create_graph=*/false, /*allow_unused=*/true);
        for (std::size_t i = 0; i < places.size(); ++i) gradients[places[i]] = found[i];
        return gradients;
    }
};

} // namespace

Draws::Draws(const torch::Device& device)
    : m_generator(at::globalContext().defaultGenerator(device)), m_state(stateOf(m_generator)) {}

Draws::Again::Again(const Draws& draws) : m_generator(draws.m_generator), m_before(stateOf(m_generator)) {
    setState(m_generator, draws.m_state);
}

Draws::Again::~Again() { setState(m_generator, m_before); }

torch::Tensor recomputed(const torch::nn::Module& module, const torch::Tensor& x, const Block& block) {
    if (!torch::GradMode::is_enabled()) return block(x);
    const auto kept = c10::make_intrusive<KeptBlock>(block, x.device());
    const std::vector<torch::Tensor> parameters = module.parameters();
    return RecomputeFunction::apply(x, at::TensorList(parameters), kept);
}

Result<void> setRecompute(Model& model, const std::string& word) {
    if (model.recomputeBlocks(word == "blocks")) return {};
    return inputError("is \"blocks\", and the model has no blocks that can be computed again", "tuning.recompute",
                      "set it to \"none\", or train gpt or vit");
}

} // namespace trainyard::models
