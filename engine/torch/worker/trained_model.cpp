// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/worker/trained_model.h"

#include "engine/torch/base/guard.h"
#include "engine/torch/script/module.h"

#include <torch/csrc/jit/frontend/tracer.h>
#include <torch/script.h>

#include <sstream>

namespace trainyard::train {
namespace {

using torch::jit::CompilationUnit;

constexpr std::uint64_t kCompareSeed = 1;

// "trainyard::models::(anonymous namespace)::Vit" -> "Vit", "torch::nn::Conv2dImpl" -> "Conv2d"
std::string typeName(const torch::nn::Module& module) {
    std::string name = module.name();
    if (const auto colon = name.rfind("::"); colon != std::string::npos) name.erase(0, colon + 2);
    if (const auto bracket = name.find('<'); bracket != std::string::npos) name.resize(bracket);
    if (name.ends_with("Impl")) name.resize(name.size() - 4);
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name.empty() ? "Module" : name;
}

// The same tree of the same tensors, as TorchScript knows modules: the tracer finds the weights in it.
torch::jit::Module mirrored(const torch::nn::Module& from, const std::shared_ptr<CompilationUnit>& unit) {
    torch::jit::Module module("__torch__.trainyard." + typeName(from), unit, /*shouldMangle=*/true);
    module.register_attribute("training", c10::BoolType::get(), false);
    for (const auto& item : from.named_parameters(/*recurse=*/false))
        module.register_parameter(item.key(), item.value(), /*is_buffer=*/false);
    for (const auto& item : from.named_buffers(/*recurse=*/false)) module.register_buffer(item.key(), item.value());
    for (const auto& item : from.named_children()) module.register_module(item.key(), mirrored(*item.value(), unit));
    return module;
}

torch::Tensor randomInput(const models::ModelContext& context, std::int64_t batch) {
    std::vector<std::int64_t> shape = context.sampleShape;
    shape.insert(shape.begin(), batch);
    return context.task == TaskKind::Language ? torch::randint(context.outputs, shape, torch::kInt64)
                                              : torch::randn(shape);
}

torch::jit::Module traced(models::Model& model, const models::ModelContext& context) {
    const auto unit = std::make_shared<CompilationUnit>();
    torch::jit::Module module = mirrored(model, unit);
    const auto forward = [&model](torch::jit::Stack inputs) -> torch::jit::Stack {
        return {model.forward(inputs.front().toTensor())};
    };
    const auto noName = [](const torch::Tensor&) { return std::string(); };
    const auto state = torch::jit::tracer::trace({randomInput(context, 2)}, forward, noName, /*strict=*/true,
                                                 /*force_outplace=*/false, &module, {"input"})
                           .first;
    const c10::QualifiedName name(*module.type()->name(), "forward");
    module.type()->addMethod(unit->create_function(name, state->graph));
    return module;
}

// A size of the example's batch that got into the trace as a constant shows with another one. Both get an input of
// their own, which they may change, and draw the same random numbers.
Result<void> compare(const std::string& bytes, models::Model& model, const models::ModelContext& context) {
    script::turnFuserOff();
    std::istringstream stream(bytes);
    torch::jit::Module again = torch::jit::load(stream);
    for (const std::int64_t batch : {model.leastBatch(), std::int64_t{5}}) {
        const auto input = randomInput(context, batch);
        torch::manual_seed(kCompareSeed);
        const auto expected = model.forward(input.clone());
        torch::manual_seed(kCompareSeed);
        auto found = again.forward({input.clone()}).toTensor();
        // A module that squeezes a single sample away does so in Python, too.
        if (batch == 1 && found.numel() == expected.numel()) found = found.view_as(expected);
        if (found.sizes() != expected.sizes() || !torch::allclose(found, expected, 1e-4, 1e-5))
            return runError("the TorchScript form does not give what the model gives for a batch of " +
                                std::to_string(batch) + ", so nothing was written",
                            "export", "use the format safetensors or state-dict");
    }
    return {};
}

} // namespace

Result<TrainedModel> loadTrained(const std::filesystem::path& checkpoint) {
    TrainedModel trained;
    TY_ASSIGN(trained.state, loadCheckpoint(checkpoint));
    const std::string where = checkpoint.string();
    TY_ASSIGN(trained.spec, spec::parseRunSpec(trained.state.runJson, where + ", run file"));
    const ModelInfo& info = trained.state.modelInfo;
    trained.context = {info.sampleShape, info.classes, info.task};
    TY_ASSIGN(trained.model, models::makeModel(trained.spec.model, trained.context));
    TY_TRY(restoreModel(*trained.model, servingTensors(trained.state), where));
    trained.model->eval();
    return trained;
}

Result<std::string> torchScriptOf(const TrainedModel& trained) {
    return guarded("export", [&]() -> Result<std::string> {
        const torch::NoGradGuard noGradients;
        models::Model& model = *trained.model;
        model.eval();
        const auto* script = dynamic_cast<const script::ScriptModel*>(&model);
        const torch::jit::Module module = script ? script->module() : traced(model, trained.context);
        std::ostringstream stream;
        module.save(stream, {{"modelInfo.json", modelInfoJson(trained.state.modelInfo)}});
        std::string bytes = std::move(stream).str();
        TY_TRY(compare(bytes, model, trained.context));
        return bytes;
    });
}

} // namespace trainyard::train
