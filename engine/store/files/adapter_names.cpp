// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/files/adapter_names.h"

namespace trainyard::store {
namespace {

std::string weightIn(std::string_view layer, std::string_view module) {
    return std::string(layer) + "." + std::string(module) + ".weight";
}

} // namespace

bool isAdapter(std::string_view tensor) {
    return tensor.ends_with(weightIn("", kLoraA)) || tensor.ends_with(weightIn("", kLoraB));
}

std::optional<AdapterNames> adapterOf(std::string_view tensor) {
    for (const std::string_view own : {".in_proj_weight", ".weight"}) {
        if (!tensor.ends_with(own) || isAdapter(tensor)) continue;
        const auto layer = tensor.substr(0, tensor.size() - own.size());
        return AdapterNames{weightIn(layer, kLoraA), weightIn(layer, kLoraB)};
    }
    return std::nullopt;
}

} // namespace trainyard::store
