// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/script/frozen.h"

#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/passes/inliner.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace trainyard::script {
namespace {

using torch::jit::Node;

const torch::jit::Value* argumentOf(const Node& node, const c10::FunctionSchema& schema, const char* name) {
    const auto index = schema.argumentIndexWithName(name);
    if (!index || static_cast<std::size_t>(*index) >= node.inputs().size()) return nullptr;
    return node.inputs()[static_cast<std::size_t>(*index)];
}

// The value of an argument that is a constant of the code.
std::optional<c10::IValue> constantOf(const Node& node, const c10::FunctionSchema& schema,
                                      std::initializer_list<const char*> names) {
    for (const char* name : names) {
        const auto* value = argumentOf(node, schema, name);
        if (!value) continue;
        if (auto constant = torch::jit::toIValue(value)) return *constant;
    }
    return {};
}

bool isDropout(std::string_view operation) {
    constexpr std::array kRecurrent{"lstm", "gru", "rnn_tanh", "rnn_relu"};
    return operation.find("dropout") != std::string_view::npos ||
           std::ranges::find(kRecurrent, operation) != kRecurrent.end();
}

void count(const Node& node, Frozen& frozen) {
    const c10::FunctionSchema* const schema = node.maybeSchema();
    const std::string_view operation = node.kind().toUnqualString();
    const bool norm = operation == "batch_norm", dropout = isDropout(operation);
    if (!schema || (!norm && !dropout)) return;
    const auto mode = constantOf(node, *schema, {"training", "train"});
    if (!mode || !mode->isBool()) return;
    if (norm) {
        const auto* mean = argumentOf(node, *schema, "running_mean");
        if (mean && mean->mustBeNone()) return; // takes those of the batch in every mode
        ++(mode->toBool() ? frozen.normOn : frozen.normOff);
        return;
    }
    const auto probability = constantOf(node, *schema, {"p", "dropout"});
    if (probability && probability->isDouble() && probability->toDouble() <= 0) return;
    ++(mode->toBool() ? frozen.dropoutOn : frozen.dropoutOff);
}

void countAll(const torch::jit::Block* block, Frozen& frozen) {
    for (const Node* node : block->nodes()) {
        count(*node, frozen);
        for (const torch::jit::Block* inner : node->blocks()) countAll(inner, frozen);
    }
}

// In PyTorch's own layers, as scripts have them, the mode is no constant and the input has the name of the source.
bool isTracedLayer(const torch::jit::Module& layer) {
    const auto type = layer.type()->name();
    const auto forward = layer.find_method("forward");
    if (!type || !forward || type->qualifiedName().find(".torch.nn.modules.") == std::string::npos) return false;
    const auto& arguments = forward->function().getSchema().arguments();
    if (arguments.size() > 1 && arguments[1].name().starts_with("argument_")) return true;
    Frozen own;
    countAll(torch::jit::toGraphFunction(forward->function()).graph()->block(), own);
    return own.dropoutOff + own.dropoutOn + own.normOff + own.normOn > 0;
}

std::string calls(const char* what, int number) {
    return number == 0 ? std::string()
                       : std::string(what) + " (" + std::to_string(number) + (number == 1 ? " call)" : " calls)");
}

std::string joined(const std::string& first, const char* between, const std::string& second) {
    return first + (first.empty() || second.empty() ? "" : between) + second;
}

} // namespace

std::string Frozen::notice() const {
    if (dropoutOff + normOff == 0) return {};
    const std::string drop = calls("dropout", dropoutOff), norm = calls("batch normalisation", normOff);
    return std::string(traced ? "the module was traced in eval()" : "the module has constants for its mode") + ": " +
           joined(drop.empty() ? "" : drop + " never drops", ", ",
                  norm.empty() ? "" : norm + " never learns its statistics") +
           " while it trains (save torch.jit.script(model) to train with them)";
}

std::string Frozen::fault() const {
    if (!traced || dropoutOn + normOn == 0) return {};
    return "was traced in train(): " +
           joined(calls("dropout", dropoutOn), " and ", calls("batch normalisation", normOn)) +
           " would go on as in training when it validates and predicts";
}

Frozen frozenIn(const torch::jit::Module& module) {
    Frozen frozen;
    const auto forward = module.find_method("forward");
    if (!forward) return frozen;
    const auto graph = torch::jit::toGraphFunction(forward->function()).graph()->copy();
    torch::jit::Inline(*graph);
    countAll(graph->block(), frozen);
    for (const torch::jit::Module& layer : module.modules()) frozen.traced = frozen.traced || isTracedLayer(layer);
    return frozen;
}

} // namespace trainyard::script
