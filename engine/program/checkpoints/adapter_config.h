// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace trainyard::program {

// What adapter_config.json says beside the low-rank matrices of PEFT.
struct AdapterConfig {
    std::int64_t rank = 8; // as PEFT has it where the file does not say it
    double alpha = 8;      // the product counts alpha / rank times
    std::string base;      // "base_model_name_or_path"; empty: not said
};

// `where` names the file. Input, with the member and the remedy: no JSON; another method than LoRA, or one that
// computes otherwise than W + alpha / rank * B A (DoRA, rank-stabilised, ranks of single layers, biases that are
// trained); a rank or alpha that is none.
Result<AdapterConfig> parseAdapterConfig(std::string_view text, const std::string& where);

// Which file or folder the matrices were trained beside: as the configuration of the folder names it, by itself or in
// the folder. Input: it names none, or none that is here, which is told with the remedy.
Result<std::filesystem::path> baseOfAdapter(const AdapterConfig& config, const std::filesystem::path& folder);

} // namespace trainyard::program
