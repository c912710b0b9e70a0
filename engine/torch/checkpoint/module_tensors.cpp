// SPDX-License-Identifier: GPL-3.0-or-later
// Between a module and its tensors by name: one half of checkpoint.h.
#include "engine/base/math/lora_product.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/files/adapter_names.h"
#include "engine/torch/base/guard.h"
#include "engine/torch/checkpoint/checkpoint.h"

#include <algorithm>
#include <set>
#include <span>
#include <sstream>

namespace trainyard::train {

using optim::NamedTensors;

namespace {

std::string shapeText(const torch::Tensor& tensor) {
    std::ostringstream text;
    text << tensor.sizes() << " " << c10::toString(tensor.scalar_type());
    return text.str();
}

// ", missing: a, b and 3 more"
void append(std::string& message, const char* title, const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 8;
    if (names.empty()) return;
    message += std::string(message.empty() ? "" : "; ") + title + ": ";
    for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
        if (i > 0) message += ", ";
        message += names[i];
    }
    if (names.size() > kShown) message += " and " + std::to_string(names.size() - kShown) + " more";
}

const torch::Tensor* findTensor(const NamedTensors& tensors, const std::string& name) {
    for (const auto& [itsName, tensor] : tensors)
        if (itsName == name) return &tensor;
    return nullptr;
}

bool fit(const torch::Tensor& weight, const torch::Tensor& a, const torch::Tensor& b) {
    const auto isMatrix = [](const torch::Tensor& tensor) {
        return tensor.dim() == 2 && tensor.scalar_type() == torch::kFloat;
    };
    return isMatrix(weight) && isMatrix(a) && isMatrix(b) && a.size(0) > 0 && b.size(1) == a.size(0) &&
           a.size(1) == weight.size(1) && b.size(0) == weight.size(0);
}

// A tensor of its own, on the CPU.
torch::Tensor withLoraProduct(const torch::Tensor& weight, const torch::Tensor& a, const torch::Tensor& b,
                              double alpha) {
    const auto plain = [](const torch::Tensor& tensor) { return tensor.detach().cpu().contiguous(); };
    const auto span = [](const torch::Tensor& tensor) {
        return std::span(tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel()));
    };
    const torch::Tensor sum = plain(weight).clone(), itsA = plain(a), itsB = plain(b);
    addLoraProduct(span(sum), span(itsA), span(itsB), static_cast<std::size_t>(a.size(0)),
                   alpha / static_cast<double>(a.size(0)));
    return sum;
}

std::string differences(const NamedTensors& model, const NamedTensors& saved) {
    std::vector<std::string> missing, unexpected, reshaped;
    for (const auto& [name, tensor] : model) {
        const torch::Tensor* other = findTensor(saved, name);
        if (!other) missing.push_back(name);
        else if (other->sizes() != tensor.sizes() || other->scalar_type() != tensor.scalar_type())
            reshaped.push_back(name + " " + shapeText(*other) + " instead of " + shapeText(tensor));
    }
    for (const auto& [name, tensor] : saved)
        if (!findTensor(model, name)) unexpected.push_back(name);
    std::string message;
    append(message, "missing", missing);
    append(message, "unexpected", unexpected);
    append(message, "of another shape", reshaped);
    return message;
}

} // namespace

NamedTensors modelTensors(const torch::nn::Module& module) {
    NamedTensors tensors;
    for (const auto& item : module.named_parameters()) tensors.emplace_back(item.key(), item.value().detach());
    for (const auto& item : module.named_buffers()) tensors.emplace_back(item.key(), item.value().detach());
    return tensors;
}

NamedTensors mergedAdapters(const NamedTensors& tensors, const std::string& runJson) {
    if (std::ranges::none_of(tensors, [](const auto& tensor) { return store::isAdapter(tensor.first); }))
        return tensors;
    const auto spec = spec::parseRunSpec(runJson, "run file");
    const double alpha = spec ? spec->finetune.lora.alpha : spec::Lora{}.alpha;
    NamedTensors merged = tensors;
    std::set<std::string> added; // what does not fit stays, and is refused where the tensors are used
    for (auto& [name, tensor] : merged) {
        const auto names = store::adapterOf(name);
        const torch::Tensor *a = names ? findTensor(tensors, names->a) : nullptr,
                            *b = names ? findTensor(tensors, names->b) : nullptr;
        if (!a || !b || !fit(tensor, *a, *b)) continue;
        tensor = withLoraProduct(tensor, *a, *b, alpha);
        added.insert({names->a, names->b});
    }
    std::erase_if(merged, [&](const auto& each) { return added.contains(each.first); });
    return merged;
}

Result<void> restoreModel(torch::nn::Module& module, const NamedTensors& tensors, const std::string& where) {
    return guarded(where, [&]() -> Result<void> {
        const NamedTensors model = modelTensors(module);
        if (const std::string message = differences(model, tensors); !message.empty())
            return inputError("holds the weights of another model (" + message + ")", where,
                              "use the model that the checkpoint was made with, or begin with fresh weights")
                .withCode(ErrorCode::CheckpointMisfit);
        const torch::NoGradGuard noGradients;
        for (const auto& [name, tensor] : model) {
            torch::Tensor target = tensor;
            target.copy_(*findTensor(tensors, name));
        }
        return {};
    });
}

} // namespace trainyard::train
