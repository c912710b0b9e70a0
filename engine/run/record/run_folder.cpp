// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/run_folder.h"

#include <nlohmann/json.hpp>

namespace trainyard::run {
namespace {

// Nothing when it is not what writeLaunchRecord wrote.
std::optional<RankProgram> readProgram(const nlohmann::json& json) {
    RankProgram program;
    try {
        json.at("path").get_to(program.path);
        json.at("arguments").get_to(program.arguments);
        json.at("environment").get_to(program.environment);
    } catch (const nlohmann::json::exception&) { return std::nullopt; }
    return program;
}

} // namespace

Result<void> makeRunFolder(const RunFolder& folder) {
    std::error_code failure;
    std::filesystem::create_directories(folder.root.parent_path(), failure);
    if (!failure && !std::filesystem::create_directory(folder.root, failure) && !failure)
        return environmentError("the run's folder exists already", folder.root.string(), "start the run again");
    if (!failure) std::filesystem::create_directory(folder.checkpoints(), failure);
    if (!failure) std::filesystem::create_directory(folder.logs(), failure);
    if (failure)
        return environmentError("cannot create the run's folder: " + failure.message(), folder.root.string(),
                                "check that the disk has room and the folder is yours");
    return {};
}

Result<void> writeLaunchRecord(const RunFolder& folder, const LaunchRecord& record, Outlives outlives) {
    nlohmann::ordered_json json{
        {"version", 1}, {"run", record.run}, {"workspace", record.workspace}, {"resumeFrom", record.resumeFrom}};
    if (const auto& program = record.program)
        json["program"] = {
            {"path", program->path}, {"arguments", program->arguments}, {"environment", program->environment}};
    return writeFileAtomic(folder.launchFile(),
                           json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n", outlives);
}

Result<LaunchRecord> readLaunchRecord(const RunFolder& folder) {
    TY_ASSIGN(const std::string text, readFile(folder.launchFile(), 1u << 20));
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto field = [&](const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    LaunchRecord record{field("run"), field("workspace"), field("resumeFrom"), std::nullopt};
    if (record.run.empty() || record.workspace.empty())
        return inputError("not the launch record of a run", folder.launchFile().string());
    if (json.contains("program")) {
        record.program = readProgram(json["program"]);
        if (!record.program)
            return inputError("names a program to run, but not its path, arguments and environment",
                              folder.launchFile().string(), "start the run again");
    }
    return record;
}

} // namespace trainyard::run
