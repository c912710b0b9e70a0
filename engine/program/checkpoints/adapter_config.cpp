// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/checkpoints/adapter_config.h"

#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace trainyard::program {
namespace {

constexpr std::int64_t kMostRank = 4096;
constexpr const char* kMerge = "merge it into its weights with PEFT (merge_and_unload()), and give the result";

Error notRead(const std::string& what, const std::string& member, const std::string& where) {
    return inputError(member + " is " + printable(what, 80) + ", which is not read", where, kMerge);
}

// Whether a member says nothing: it is missing, null, false, or empty.
bool isUnset(const nlohmann::json& all, const char* member) {
    const auto found = all.find(member);
    return found == all.end() || found->is_null() || *found == false || (found->is_structured() && found->empty());
}

} // namespace

Result<AdapterConfig> parseAdapterConfig(std::string_view text, const std::string& where) {
    const nlohmann::json all = parseSortedJson(text);
    if (!all.is_object()) return inputError("is no JSON object", where, "give the file that PEFT has written");
    const auto type = all.find("peft_type");
    if (type == all.end() || *type != "LORA") {
        const std::string found = type == all.end() ? "missing" : jsonText(*type);
        return notRead(found, "peft_type", where);
    }
    for (const char* member : {"use_dora", "use_rslora", "rank_pattern", "alpha_pattern", "trainable_token_indices"})
        if (!isUnset(all, member)) return notRead(jsonText(all[member]), member, where);
    if (const auto bias = all.find("bias"); bias != all.end() && *bias != "none")
        return notRead(jsonText(*bias), "bias", where);
    AdapterConfig config;
    if (const auto rank = all.find("r"); rank != all.end()) {
        if (!rank->is_number_integer() || *rank < 1 || *rank > kMostRank)
            return inputError("r is " + printable(jsonText(*rank), 80) + ", and a rank is a number from 1 to 4096",
                              where, "give the file that PEFT has written");
        config.rank = rank->get<std::int64_t>();
    }
    if (const auto alpha = all.find("lora_alpha"); alpha != all.end()) {
        if (!alpha->is_number() || !std::isfinite(alpha->get<double>()))
            return inputError("lora_alpha is " + printable(jsonText(*alpha), 80) + ", and is to be a number", where,
                              "give the file that PEFT has written");
        config.alpha = alpha->get<double>();
    }
    if (const auto base = all.find("base_model_name_or_path"); base != all.end() && base->is_string())
        config.base = base->get<std::string>();
    return config;
}

Result<std::filesystem::path> baseOfAdapter(const AdapterConfig& config, const std::filesystem::path& folder) {
    const std::string where = (folder / "adapter_config.json").string();
    constexpr const char* kRemedy =
        "set base_model_name_or_path there to the file of the weights that it was trained beside";
    if (config.base.empty() || config.base.find('\0') != std::string::npos)
        return inputError("does not say which weights the adapter belongs to", where, kRemedy);
    const std::filesystem::path named = config.base;
    std::error_code ignored;
    for (const auto& each : std::array{folder / named, folder / named.filename()})
        if (each.has_filename() && std::filesystem::exists(each, ignored)) return each;
    return inputError("names \"" + printable(config.base, 200) +
                          "\" as the weights that the adapter belongs to, and there is no such file or folder",
                      where, kRemedy)
        .withCode(ErrorCode::FileMissing);
}

} // namespace trainyard::program
