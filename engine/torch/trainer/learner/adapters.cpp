// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/learner/adapters.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/spec/run/parameter_globs.h"
#include "engine/store/files/adapter_names.h"
#include "engine/torch/kernels/lora_matrices.h"
#include "engine/torch/trainer/learner/trained_parts.h"

#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <map>
#include <set>

namespace trainyard::train {
namespace {

struct LinearLayer {
    std::string name;
    kernels::Adaptable* layer;
};

// In the order of the model.
std::vector<LinearLayer> linearLayersOfBody(models::Model& model) {
    const std::string head = models::headNameOf(model);
    std::vector<LinearLayer> layers;
    for (const auto& item : model.named_modules("", /*include_self=*/false))
        if (auto* const layer = dynamic_cast<kernels::Adaptable*>(item.value().get()); layer && item.key() != head)
            layers.push_back({item.key(), layer});
    return layers;
}

// A layer may be named as a whole or by its last word, as "out_proj".
bool meansLayer(const std::string& glob, const std::string& layer) {
    return spec::meansParameter(glob, layer) || layer.ends_with("." + glob);
}

Error meansNoLayer(std::size_t target, const std::string& glob, const std::vector<LinearLayer>& layers) {
    std::set<std::string> names;
    for (const auto& [name, layer] : layers) names.insert(name), names.insert(name.substr(name.rfind('.') + 1));
    const std::string near = nearestWord(glob, names);
    return inputError("\"" + printable(glob, 80) + "\" means no linear layer of the body",
                      "finetune.lora.targets." + std::to_string(target),
                      near.empty() ? "the first is " + layers.front().name : "did you mean \"" + near + "\"?")
        .withCode(ErrorCode::FieldInvalid);
}

std::map<std::string, std::vector<std::int64_t>> shapesOfAdapters(const optim::NamedTensors& tensors) {
    std::map<std::string, std::vector<std::int64_t>> shapes;
    for (const auto& [name, tensor] : tensors)
        if (store::isAdapter(name)) shapes[name] = tensor.sizes().vec();
    return shapes;
}

// That of the run of a state with matrices; where that is not known, the same.
double alphaOf(const TrainState& state, const spec::Lora& lora) {
    if (lora.rank == 0 || state.runJson.empty()) return lora.alpha;
    const auto spec = spec::parseRunSpec(state.runJson, "run file");
    return spec && spec->finetune.lora.rank > 0 ? spec->finetune.lora.alpha : lora.alpha;
}

void addOwn(optim::NamedTensors& tensors, const optim::NamedTensors& ofModel) {
    for (const auto& [name, tensor] : ofModel)
        if (store::isAdapter(name)) tensors.emplace_back(name, tensor);
}

} // namespace

Result<void> addAdapters(models::Model& model, const spec::Lora& lora, std::int64_t seed) {
    if (lora.rank == 0) return {};
    const auto layers = linearLayersOfBody(model);
    if (layers.empty())
        return inputError("the body of the model has no linear layers", "finetune.lora",
                          "train gpt, vit or mlp, or use finetune.freeze instead")
            .withCode(ErrorCode::FieldInvalid);
    for (std::size_t i = 0; i < lora.targets.size(); ++i)
        if (std::ranges::none_of(layers, [&](const auto& each) { return meansLayer(lora.targets[i], each.name); }))
            return meansNoLayer(i, lora.targets[i], layers);
    const kernels::LoraOptions options{lora.rank, lora.alpha, lora.dropout};
    // Of its own: where the default one stands depends on what the process has done before.
    at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(seed));
    for (const auto& [name, layer] : layers)
        if (lora.targets.empty() ||
            std::ranges::any_of(lora.targets, [&, &its = name](const auto& glob) { return meansLayer(glob, its); }))
            layer->adapt(options, generator);
    return {};
}

Result<std::shared_ptr<models::Model>> makeTrainedModel(const spec::RunSpec& spec,
                                                        const models::ModelContext& context) {
    TY_ASSIGN(auto model, models::makeModel(spec.model, context));
    TY_TRY(addAdapters(*model, spec.finetune.lora, spec.seed));
    return model;
}

TrainState fitAdapters(TrainState state, const models::Model& model, const spec::Lora& lora) {
    const auto ofModel = modelTensors(model);
    if (shapesOfAdapters(state.model) == shapesOfAdapters(ofModel) && alphaOf(state, lora) == lora.alpha) return state;
    state.model = mergedAdapters(state.model, state.runJson);
    state.average = mergedAdapters(state.average, state.runJson);
    std::erase_if(state.optimizer.tensors,
                  [](const auto& tensor) { return store::isAdapter(tensor.first.substr(0, tensor.first.rfind('.'))); });
    addOwn(state.model, ofModel);
    if (!state.average.empty()) addOwn(state.average, ofModel);
    return state;
}

} // namespace trainyard::train
