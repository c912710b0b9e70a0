// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_folder.h"

#include "engine/base/atomic_file.h"

#include <nlohmann/json.hpp>

namespace trainyard::run {

Result<void> writeLaunchRecord(const RunFolder& folder, const LaunchRecord& record) {
    const nlohmann::ordered_json json{
        {"version", 1}, {"run", record.run}, {"workspace", record.workspace}, {"resumeFrom", record.resumeFrom}};
    return writeFileAtomic(folder.launchFile(), json.dump(2) + "\n");
}

Result<LaunchRecord> readLaunchRecord(const RunFolder& folder) {
    TY_ASSIGN(const std::string text, readFile(folder.launchFile(), 1u << 20));
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto field = [&](const char* key) {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    LaunchRecord record{field("run"), field("workspace"), field("resumeFrom")};
    if (record.run.empty() || record.workspace.empty())
        return inputError("not the launch record of a run", folder.launchFile().string());
    return record;
}

} // namespace trainyard::run
