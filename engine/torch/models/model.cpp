// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/models/model.h"

#include "engine/torch/base/arguments.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/trace.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace trainyard::models {

namespace {

// "torch::nn::Conv2dImpl" -> "Conv2d"
std::string kindOf(const torch::nn::Module& module) {
    std::string kind = module.name();
    if (const auto colon = kind.rfind("::"); colon != std::string::npos) kind.erase(0, colon + 2);
    if (kind.ends_with("Impl")) kind.resize(kind.size() - 4);
    return kind;
}

std::int64_t ownParameters(const torch::nn::Module& module) {
    std::int64_t count = 0;
    for (const torch::Tensor& parameter : module.parameters(/*recurse=*/false)) count += parameter.numel();
    return count;
}

// Runs one zero sample, or as few as the model takes, with the trace on, and puts everything back as it was.
Trace traceOf(Model& model, const ModelContext& context) {
    const auto parameters = model.parameters();
    const torch::Device device = parameters.empty() ? torch::Device(torch::kCPU) : parameters.front().device();
    struct Restore {
        Model& model;
        bool training;
        ~Restore() {
            activeTrace = nullptr;
            model.train(training);
        }
    } restore{model, model.is_training()};
    Trace trace;
    const torch::NoGradGuard noGradients;
    model.eval();
    activeTrace = &trace;
    std::vector<std::int64_t> shape = context.sampleShape;
    shape.insert(shape.begin(), model.leastBatch());
    const auto type = context.task == train::TaskKind::Language ? torch::kInt64 : torch::kFloat32;
    model.forward(torch::zeros(shape, torch::TensorOptions(type).device(device)));
    return trace;
}

} // namespace

std::string headNameOf(const Model& model) {
    const auto* headed = dynamic_cast<const HeadedModel*>(&model);
    return headed ? headed->headName() : std::string();
}

const std::vector<ModelEntry>& modelEntries() {
#define TRAINYARD_MAKE(entry) entry(),
    static const std::vector<ModelEntry> entries = {TRAINYARD_MODELS(TRAINYARD_MAKE)};
#undef TRAINYARD_MAKE
    return entries;
}

Result<std::shared_ptr<Model>> makeModel(const spec::Choice& choice, const ModelContext& context) {
    std::vector<std::string> names;
    for (const ModelEntry& entry : modelEntries()) names.push_back(entry.info.name);
    TY_ASSIGN(const std::size_t row, train::findName(names, choice.name, "model"));
    const ModelEntry& entry = modelEntries()[row];
    TY_TRY(train::Arguments(choice, entry.info, "model").check());
    TY_TRY(train::checkServes("model " + choice.name, entry.tasks, context.task));
    const std::int64_t fewest =
        context.task == train::TaskKind::Classification || context.task == train::TaskKind::Language ? 2 : 1;
    if (context.outputs < fewest || context.sampleShape.empty() ||
        std::any_of(context.sampleShape.begin(), context.sampleShape.end(), [](auto side) { return side < 1; }))
        return inputError("a model needs samples of a known size and at least two classes (regression: one target)",
                          "dataset");
    return train::guarded("model " + choice.name, [&] { return entry.make(choice, context); });
}

Result<std::vector<LayerInfo>> summarize(Model& model, const ModelContext& context) {
    return train::guarded("model", [&]() -> Result<std::vector<LayerInfo>> {
        std::unordered_map<const torch::nn::Module*, std::string> names{{&model, "model"}};
        for (const auto& item : model.named_modules("", /*include_self=*/false))
            names.emplace(item.value().get(), item.key());
        std::vector<LayerInfo> layers;
        for (auto& [module, shape] : traceOf(model, context)) {
            LayerInfo layer;
            layer.name = names[module];
            layer.kind = kindOf(*module);
            layer.outputShape.assign(shape.begin() + 1, shape.end());
            layer.parameters = ownParameters(*module);
            layers.push_back(std::move(layer));
        }
        return layers;
    });
}

std::int64_t parameterCount(const torch::nn::Module& module) {
    std::int64_t count = 0;
    for (const torch::Tensor& parameter : module.parameters()) count += parameter.numel();
    return count;
}

std::int64_t activationBytes(const std::vector<LayerInfo>& layers) {
    std::int64_t bytes = 0;
    for (const LayerInfo& layer : layers) {
        std::int64_t numbers = 1;
        for (const std::int64_t side : layer.outputShape) numbers *= side;
        bytes += numbers * static_cast<std::int64_t>(sizeof(float));
    }
    return bytes;
}

} // namespace trainyard::models
