// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/trainer/non_finite/diagnosis.h"

#include <ATen/record_function.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string_view>

namespace trainyard::train {
namespace {

bool isFinite(const torch::Tensor& tensor) {
    return !tensor.defined() || !tensor.is_floating_point() || torch::isfinite(tensor).all().item<bool>();
}

// "layers.0" of "layers.0.weight"
std::string layerOf(const std::string& parameter) {
    const auto dot = parameter.rfind('.');
    return dot == std::string::npos ? parameter : parameter.substr(0, dot);
}

// New memory holds anything until it is written to, and so does what only looks at it in another shape.
bool writesNothing(std::string_view operation) {
    constexpr std::array kNames{"aten::empty",         "aten::new_empty", "aten::resize", "aten::view",
                                "aten::as_strided",    "aten::select",    "aten::slice",  "aten::narrow",
                                "aten::permute",       "aten::transpose", "aten::t",      "aten::expand",
                                "aten::squeeze",       "aten::unsqueeze", "aten::detach", "aten::alias",
                                "aten::_reshape_alias"};
    return std::any_of(kNames.begin(), kNames.end(), [operation](std::string_view name) {
        const auto rest = operation.starts_with(name) ? operation.substr(name.size()) : "?";
        return rest.empty() || rest.front() == '_';
    });
}

// Looks at the output of each operation of a forward. LibTorch's modules have no hooks in C++, but its profiler's
// callbacks see every operation with its inputs, and a weight among them tells the layer.
struct Watch {
    std::map<const void*, std::string> layers; // data of a parameter -> its layer
    std::string lastLayer, found;
    bool inside = false; // checking a tensor is itself made of operations
};
thread_local Watch* t_watch = nullptr;

void eachTensor(const c10::IValue& value, const std::function<void(const torch::Tensor&)>& see) {
    if (value.isTensor()) return see(value.toTensor());
    if (!value.isTensorList()) return;
    for (const torch::Tensor& tensor : value.toTensorVector()) see(tensor);
}

// Inputs can be asked for at an operation's start alone.
std::unique_ptr<at::ObserverContext> onStart(const at::RecordFunction& operation) {
    Watch* watch = t_watch;
    if (!watch || watch->inside || !watch->found.empty()) return nullptr;
    for (const auto& input : operation.inputs())
        eachTensor(input, [watch](const torch::Tensor& tensor) {
            if (!tensor.defined() || !tensor.has_storage()) return;
            if (const auto layer = watch->layers.find(tensor.data_ptr()); layer != watch->layers.end())
                watch->lastLayer = layer->second;
        });
    return nullptr;
}

void onEnd(const at::RecordFunction& operation, at::ObserverContext*) {
    Watch* watch = t_watch;
    if (!watch || watch->inside || !watch->found.empty() || writesNothing(operation.name())) return;
    watch->inside = true;
    bool finite = true;
    for (const auto& output : operation.outputs())
        eachTensor(output, [&finite](const torch::Tensor& tensor) { finite = finite && isFinite(tensor); });
    if (!finite)
        watch->found = "the first output that is not finite came from layer \"" + watch->lastLayer + "\" (" +
                       operation.name() + ")";
    watch->inside = false;
}

} // namespace

std::string whyNotFinite(models::Model& model, const optim::NamedTensors& parameters, const data::Batch& batch) {
    for (const auto& [name, tensor] : parameters)
        if (!isFinite(tensor.detach()))
            return "the first layer with weights that are not finite is \"" + layerOf(name) + "\" (" + name + ")";
    if (!batch.inputs.defined()) return "all weights are finite";
    if (!isFinite(batch.inputs)) return "the batch itself holds values that are not finite";
    Watch watch;
    watch.lastLayer = "input";
    for (const auto& [name, tensor] : parameters) watch.layers[tensor.data_ptr()] = layerOf(name);
    t_watch = &watch;
    const auto handle = at::addThreadLocalCallback(at::RecordFunctionCallback(&onStart, &onEnd)
                                                       .needsInputs(true)
                                                       .needsOutputs(true)
                                                       .scopes({at::RecordScope::FUNCTION}));
    {
        const torch::NoGradGuard noGrad;
        const at::RecordFunctionGuard recording(true);
        model.forward(batch.inputs);
    }
    at::removeCallback(handle);
    t_watch = nullptr;
    return watch.found.empty() ? "every layer's output is finite: the loss itself overflowed" : watch.found;
}

std::string whichGradientNotFinite(const optim::NamedTensors& parameters) {
    for (auto item = parameters.rbegin(); item != parameters.rend(); ++item)
        if (item->second.grad().defined() && !isFinite(item->second.grad()))
            return "the gradient of layer \"" + layerOf(item->first) + "\" (" + item->first + ") is not finite";
    return "a gradient is not finite";
}

} // namespace trainyard::train
