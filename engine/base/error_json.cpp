// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error_json.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace trainyard {

std::string errorToJson(const Error& error) {
    Json json{{"error", error.text()}, {"error_kind", toString(error.kind)}, {"error_code", toString(error.code)}};
    // The parts of the sentence, where it has several.
    if (!error.where.empty() || !error.remedy.empty()) {
        json["error_message"] = error.message;
        if (!error.where.empty()) json["error_where"] = error.where;
        if (!error.remedy.empty()) json["error_remedy"] = error.remedy;
    }
    return asciiJson(json, 2);
}

std::optional<Error> errorFromJson(std::string_view json) {
    const auto parsed = parseSortedJson(json);
    if (!parsed.is_object()) return {};
    std::string words[3];
    std::size_t at = 0;
    for (const char* key : {"error", "error_kind", "error_code"}) {
        const auto found = parsed.find(key);
        if (found == parsed.end() || !found->is_string()) return {};
        words[at++] = found->get<std::string>();
    }
    Error error{errorKindFromString(words[1]), words[0], {}, {}, errorCodeFromString(words[2])};
    const auto part = [&parsed](const char* key) {
        const auto found = parsed.find(key);
        return found != parsed.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    if (std::string message = part("error_message"); !message.empty()) {
        error.message = std::move(message);
        error.where = part("error_where");
        error.remedy = part("error_remedy");
    }
    return error;
}

Error programError(const std::string& name, int exitCode, std::string_view output, std::string_view errors) {
    if (auto error = errorFromJson(output)) return std::move(*error);
    // It ended without a word for programs: a crash, or a library that exits.
    const auto end = errors.find_last_not_of(" \r\n");
    std::string_view line = errors.substr(0, end == errors.npos ? 0 : end + 1);
    if (const auto last = line.rfind('\n'); last != line.npos) line.remove_prefix(last + 1);
    return environmentError(line.empty() ? name + " failed with exit code " + std::to_string(exitCode)
                                         : std::string(line));
}

} // namespace trainyard
