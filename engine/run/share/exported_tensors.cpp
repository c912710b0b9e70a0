// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/share/exported_tensors.h"

#include "engine/base/math/lora_product.h"
#include "engine/spec/run/run_spec.h"
#include "engine/store/files/adapter_names.h"

#include <cstring>

namespace trainyard::run {
namespace {

constexpr std::string_view kModelPrefix = "model.";
constexpr std::string_view kAveragePrefix = "ema.";

} // namespace

bool ExportedTensors::isOfModel(const store::TensorInfo& tensor) { return tensor.name.starts_with(kModelPrefix); }

std::string ExportedTensors::nameOf(const store::TensorInfo& tensor) { return tensor.name.substr(kModelPrefix.size()); }

const store::TensorInfo* ExportedTensors::find(const std::string& name) const {
    return m_file.find(std::string(kModelPrefix) + name);
}

std::span<const std::byte> ExportedTensors::bytesOf(const std::string& name) const {
    const auto* average = m_file.find(std::string(kAveragePrefix) + name);
    const auto* tensor = average ? average : find(name);
    return tensor ? m_file.bytes(*tensor) : std::span<const std::byte>();
}

Result<std::optional<std::vector<float>>> ExportedTensors::merged(const store::TensorInfo& tensor) const {
    const auto names = store::adapterOf(nameOf(tensor));
    const auto *a = names ? find(names->a) : nullptr, *b = names ? find(names->b) : nullptr;
    if (!a && !b) return std::optional<std::vector<float>>();
    const bool fit = a && b && tensor.shape.size() == 2 && a->shape.size() == 2 && a->shape[0] > 0 &&
                     a->shape[1] == tensor.shape[1] &&
                     b->shape == std::vector<std::int64_t>{tensor.shape[0], a->shape[0]} && tensor.dtype == "F32" &&
                     a->dtype == "F32" && b->dtype == "F32";
    if (!fit)
        return inputError("has low-rank matrices that do not fit " + nameOf(tensor), m_where,
                          "use another checkpoint of the run");
    auto sum = numbersOf(nameOf(tensor));
    addLoraProduct(sum, numbersOf(names->a), numbersOf(names->b), static_cast<std::size_t>(a->shape[0]),
                   alpha() / static_cast<double>(a->shape[0]));
    return std::optional(std::move(sum));
}

// Copied, as floats in a file may lie anywhere.
std::vector<float> ExportedTensors::numbersOf(const std::string& name) const {
    const auto bytes = bytesOf(name);
    std::vector<float> numbers(bytes.size() / sizeof(float));
    if (!bytes.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(float));
    return numbers;
}

double ExportedTensors::alpha() const {
    const auto run = m_file.metadata().find("run");
    if (run == m_file.metadata().end()) return spec::Lora{}.alpha;
    const auto spec = spec::parseRunSpec(run->second, m_where);
    return spec ? spec->finetune.lora.alpha : spec::Lora{}.alpha;
}

} // namespace trainyard::run
