// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/rank_program_json.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

namespace trainyard::run {

Json programToJson(const RankProgram& program) {
    return {{"path", program.path}, {"arguments", program.arguments}, {"environment", program.environment}};
}

Result<std::optional<RankProgram>> programOfRecord(const nlohmann::json& record, const std::filesystem::path& file) {
    if (!record.is_object() || !record.contains("program")) return std::optional<RankProgram>();
    RankProgram program;
    try {
        const auto& json = record.at("program");
        json.at("path").get_to(program.path);
        json.at("arguments").get_to(program.arguments);
        json.at("environment").get_to(program.environment);
    } catch (const nlohmann::json::exception&) {
        return inputError("names a program to run, but not its path, arguments and environment", file.string(),
                          "start it again");
    }
    return std::optional(std::move(program));
}

Result<std::map<std::string, std::string>> filesOfRecord(const nlohmann::json& record,
                                                         const std::filesystem::path& file) {
    std::map<std::string, std::string> files;
    if (!record.is_object() || !record.contains("files")) return files;
    const auto& json = record.at("files");
    bool isRight = json.is_object();
    for (const auto& [field, path] : json.items()) {
        isRight = isRight && path.is_string() && (field.starts_with("model.") || field.starts_with("dataset."));
        if (isRight) files[field] = path.get<std::string>();
    }
    if (!isRight)
        return inputError("has files that are not paths of model or dataset", file.string(), "start it again");
    return files;
}

Result<std::map<std::string, std::vector<int>>> devicesOfRecord(const nlohmann::json& record,
                                                                const std::filesystem::path& file) {
    std::map<std::string, std::vector<int>> devices;
    if (!record.is_object() || !record.contains("devices")) return devices;
    const auto& json = record.at("devices");
    bool isRight = json.is_object();
    for (const auto& [host, numbers] : json.items()) {
        isRight = isRight && numbers.is_array() && !numbers.empty();
        if (!isRight) break;
        for (const auto& number : numbers) {
            isRight = isRight && number.is_number_unsigned() && number.get<std::uint64_t>() < 10'000;
            if (isRight) devices[host].push_back(number.get<int>());
        }
    }
    if (!isRight) return inputError("has devices that are not numbers", file.string(), "start it again");
    return devices;
}

} // namespace trainyard::run
