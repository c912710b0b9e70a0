// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/record/run_code.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

namespace trainyard::run {

program::CodeStore codeStore(const store::Workspace& workspace) { return program::CodeStore(workspace.root / "code"); }

std::optional<RunCode> codeOfRecord(const nlohmann::json& record) {
    const auto found = record.is_object() ? record.find("code") : record.end();
    if (found == record.end() || !found->is_object()) return std::nullopt;
    const auto field = [&](const char* key) {
        const auto at = found->find(key);
        return at != found->end() && at->is_string() ? at->get<std::string>() : std::string();
    };
    RunCode code{field("digest"), field("project")};
    const bool isDigest =
        code.digest.size() == 32 && code.digest.find_first_not_of("0123456789abcdef") == code.digest.npos;
    return isDigest && !code.project.empty() ? std::optional(std::move(code)) : std::nullopt;
}

std::optional<RunCode> codeOfFile(const std::filesystem::path& file) {
    const auto text = readFile(file, 1u << 20);
    return text ? codeOfRecord(parseSortedJson(*text)) : std::nullopt;
}

nlohmann::ordered_json codeToJson(const RunCode& code) { return {{"digest", code.digest}, {"project", code.project}}; }

std::string queuedCodeName(const store::QueueRow& entry) {
    return std::to_string(entry.id) + "-" + std::to_string(entry.addedMs) + ".code.json";
}

} // namespace trainyard::run
