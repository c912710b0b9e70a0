// SPDX-License-Identifier: GPL-3.0-or-later
// The low-rank matrices of a checkpoint (finetune.lora), by name: "LAYER.lora_A.weight" [rank, in] and
// "LAYER.lora_B.weight" [out, rank].
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::store {

inline constexpr std::string_view kLoraA = "lora_A", kLoraB = "lora_B"; // modules of the layer, each with a weight

// Whether the tensor is one of the two.
bool isAdapter(std::string_view tensor);

// Rule: which weight low-rank matrices are added to.
// "h.0.attn.lora_A.weight" for the weight "h.0.attn.in_proj_weight" of attention, "fc.lora_A.weight" for "fc.weight";
// nothing where a tensor can have none.
struct AdapterNames {
    std::string a, b;
};
std::optional<AdapterNames> adapterOf(std::string_view tensor);

} // namespace trainyard::store
