// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/script/module.h"

#include "engine/torch/base/arguments.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/models/architectures.h"
#include "engine/torch/models/trace.h"

#include <torch/csrc/jit/passes/tensorexpr_fuser.h>

#include <set>
#include <sstream>
#include <thread>

namespace trainyard::script {
namespace {

// Operations that read or write files: no model needs them to compute.
constexpr const char* kForbidden[] = {"aten::save", "aten::from_file"};

void collect(const torch::jit::Block* block, std::set<std::string>& names) {
    for (const torch::jit::Node* node : block->nodes()) {
        names.insert(node->kind().toQualString());
        for (const torch::jit::Block* inner : node->blocks()) collect(inner, names);
    }
}

// "Unknown builtin op: torchvision::nms." -> the name
std::string missingOperation(const std::string& message) {
    static constexpr std::string_view kSays = "Unknown builtin op: ";
    const auto at = message.find(kSays);
    if (at == std::string::npos) return {};
    const auto begin = at + kSays.size();
    auto end = message.find_first_of(" \n", begin);
    std::string name = message.substr(begin, end == std::string::npos ? end : end - begin);
    while (!name.empty() && name.back() == '.') name.pop_back();
    return name;
}

// The first line that says something: LibTorch's texts quote the code around it.
std::string firstLine(const std::string& text) {
    const auto begin = text.find_first_not_of(" \n");
    if (begin == std::string::npos) return "no reason given";
    return text.substr(begin, text.find('\n', begin) - begin);
}

void mirror(torch::nn::Module& into, const torch::jit::Module& from) {
    for (const auto& item : from.named_parameters(/*recurse=*/false))
        into.register_parameter(item.name, item.value, item.value.requires_grad());
    for (const auto& item : from.named_buffers(/*recurse=*/false)) into.register_buffer(item.name, item.value);
    for (const auto& item : from.named_children()) {
        const auto kind = item.value.type()->name();
        mirror(*into.register_module(item.name, std::make_shared<torch::nn::Module>(kind ? kind->name() : "Module")),
               item.value);
    }
}

void record(const torch::nn::Module& module, const torch::Tensor& output) {
    for (const auto& part : module.modules(/*include_self=*/true))
        if (!part->parameters(/*recurse=*/false).empty()) models::recordLayer(*part, output);
}

} // namespace

std::vector<std::string> operationsOf(const torch::jit::Module& module) {
    std::set<std::string> names;
    for (const torch::jit::Function* function : module._ivalue()->compilation_unit()->get_functions())
        if (function->isGraphFunction()) collect(torch::jit::toGraphFunction(*function).graph()->block(), names);
    std::erase_if(names, [](const std::string& name) { return name.starts_with("prim::"); });
    return {names.begin(), names.end()};
}

void turnFuserOff() { torch::jit::setTensorExprFuserEnabled(false); }

Result<torch::jit::Module> loadModule(const std::string& bytes, const std::string& where) {
    turnFuserOff();
    try {
        std::istringstream stream(bytes);
        torch::jit::Module module = torch::jit::load(stream, torch::kCPU);
        for (const std::string& name : operationsOf(module))
            for (const char* forbidden : kForbidden)
                if (name == forbidden)
                    return inputError("calls " + name + ", which touches files", where, "take that out of the module");
        if (!module.find_method("forward"))
            return inputError("has no method \"forward\"", where, "save the whole model");
        return module;
    } catch (const std::exception& exception) {
        const std::string message = train::errorFrom(exception, where).message;
        if (const std::string name = missingOperation(message); !name.empty())
            return inputError("needs the operation \"" + name + "\", which this LibTorch does not have", where,
                              "save the module without it");
        return inputError("cannot be loaded: " + firstLine(message), where,
                          "save it with torch.jit.save, by a PyTorch no newer than " TORCH_VERSION);
    }
}

Result<torch::jit::Module> loadModuleRestricted(const std::string& bytes, const std::string& where) {
    std::optional<Result<torch::jit::Module>> loaded;
    std::thread([&] {
        const auto restricted = restrictThread();
        if (restricted) loaded = loadModule(bytes, where);
        else loaded = restricted.error();
    }).join();
    return std::move(*loaded);
}

ScriptModel::ScriptModel(torch::jit::Module module, Report report)
    : m_module(std::move(module)), m_report(std::move(report)) {
    mirror(*this, m_module);
}

std::int64_t ScriptModel::leastBatch() const {
    return is_training() ? m_report.batches.leastTraining : m_report.batches.leastEvaluating;
}

torch::Tensor ScriptModel::forward(torch::Tensor x) {
    const std::int64_t samples = x.size(0);
    TORCH_CHECK(samples >= leastBatch(), "the module cannot take a single sample: ", m_report.batches.why);
    const c10::IValue given = m_module.forward({std::move(x)});
    TORCH_CHECK(given.isTensor(), "forward gave ", given.tagKind(), " instead of a tensor");
    torch::Tensor output = given.toTensor();
    const auto wanted = static_cast<std::int64_t>(m_report.outputShape.size());
    if (samples == 1 && output.dim() + 1 == wanted) output = output.unsqueeze(0);
    // Which layer gives what is not known from outside: each is listed with the output of all.
    if (models::activeTrace) record(*this, output);
    return output;
}

void ScriptModel::train(bool on) {
    torch::nn::Module::train(on);
    m_module.train(on);
}

void ScriptModel::to(torch::Device device, bool) { m_module.to(device); } // the tensors are shared

} // namespace trainyard::script

namespace trainyard::models {
namespace {

spec::Entry scriptInfo() {
    spec::Entry entry;
    entry.name = "torchscript";
    entry.title = Engine::tr("TorchScript file");
    entry.help =
        Engine::tr("Any model saved in Python with torch.jit.save; checked and tried in a sandbox before use.");
    entry.params = {
        {.name = "path",
         .title = Engine::tr("File"),
         .type = spec::ParamType::Path,
         .defaultValue = std::string(),
         .help = Engine::tr("The saved file of torch.jit.script or torch.jit.trace.")},
        {.name = "sha256",
         .title = Engine::tr("SHA-256"),
         .type = spec::ParamType::Text,
         .defaultValue = std::string(),
         .help = Engine::tr("Digest of the file, recorded at the start; the run then refuses any other file.")}};
    return entry;
}

Result<std::shared_ptr<Model>> makeScript(const spec::Choice& choice, const ModelContext& context) {
    const std::string path = choice.text("path", {}), wanted = choice.text("sha256", {});
    if (path.empty()) return inputError("is missing", "model.params.path", "name a file of torch.jit.save");
    TY_ASSIGN(const script::Archive archive, script::readArchive(path));
    if (!wanted.empty() && wanted != archive.sha256)
        return inputError("is not the file that the run began with (SHA-256 " + archive.sha256.substr(0, 12) +
                              "… instead of " + wanted.substr(0, 12) + "…)",
                          path, "bring the file back, or start a new run");
    TY_ASSIGN(auto report, script::probe(archive, script::Use{context.sampleShape, context.outputs, context.task}));
    TY_ASSIGN(auto module, script::loadModuleRestricted(archive.bytes, path));
    return std::shared_ptr<Model>(std::make_shared<script::ScriptModel>(std::move(module), std::move(report)));
}

} // namespace

ModelEntry scriptEntry() {
    using enum train::TaskKind;
    return {scriptInfo(), makeScript, {Classification, Regression, Language, MultiLabel}};
}

} // namespace trainyard::models
