// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainyard/creator.h"

namespace trainyard::train {
namespace {

constexpr std::string_view kModel = "model.";

} // namespace

std::map<std::string, torch::Tensor> StateDict::model() const {
    std::map<std::string, torch::Tensor> found;
    for (const auto& [name, tensor] : tensors)
        if (name.starts_with(kModel)) found.emplace(name.substr(kModel.size()), tensor);
    return found;
}

std::int64_t StateDict::epoch() const {
    const auto found = tensors.find("epoch");
    return found == tensors.end() ? 0 : found->second.item<std::int64_t>();
}

void StateDict::loadInto(torch::nn::Module& module) const {
    const torch::NoGradGuard noGrad;
    const auto load = [&](const std::string& name, torch::Tensor& into, bool copies) {
        const auto found = tensors.find(std::string(kModel) + name);
        if (found == tensors.end()) throw InputError("the state has no \"" + name + "\", which the model has");
        if (found->second.sizes() != into.sizes())
            throw InputError("\"" + name + "\" has another shape in the state than in the model");
        if (copies) into.copy_(found->second);
    };
    // All are looked at before any is changed.
    for (const bool copies : {false, true}) {
        for (auto& each : module.named_parameters()) load(each.key(), each.value(), copies);
        for (auto& each : module.named_buffers()) load(each.key(), each.value(), copies);
    }
}

// An archive's own names take no dots, so the names are kept as a text and the tensors by number.
torch::serialize::OutputArchive& operator<<(torch::serialize::OutputArchive& archive, const StateDict& state) {
    std::string names;
    std::size_t number = 0;
    for (const auto& [name, tensor] : state.tensors) {
        names += name + "\n";
        archive.write("tensor" + std::to_string(number++), tensor);
    }
    archive.write("names", c10::IValue(names));
    return archive;
}

torch::serialize::InputArchive& operator>>(torch::serialize::InputArchive& archive, StateDict& state) {
    c10::IValue names;
    if (!archive.try_read("names", names) || !names.isString())
        throw InputError("the file holds no state of a CreatorTrainer");
    state.tensors.clear();
    const std::string& text = names.toStringRef();
    std::size_t number = 0;
    for (std::size_t from = 0; from < text.size();) {
        const auto end = text.find('\n', from);
        archive.read("tensor" + std::to_string(number++), state.tensors[text.substr(from, end - from)]);
        from = end == std::string::npos ? text.size() : end + 1;
    }
    return archive;
}

} // namespace trainyard::train
