// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/paths.h"

#include "engine/base/folders.h"
#include "engine/spec/run_spec.h"
#include "engine/spec/sweep_spec.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdlib>

namespace trainyard::spec {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

bool makeAbsolute(std::string& path, const fs::path& folder) {
    if (path.empty() || path.front() == '/') return false;
    const char* home = std::getenv("HOME");
    if (path.starts_with("~/") && home && *home) path = (fs::path(home) / path.substr(2)).string();
    else path = (fs::absolute(folder) / path).lexically_normal().string();
    return true;
}

bool isPlugin(const Json& choice, std::string_view part) {
    return part == "model" && choice.contains("name") && choice["name"] == "plugin";
}

// A plug-in may be named; a file of that name beside the run file comes first.
bool useInstalled(std::string& path, const fs::path& folder) {
    std::error_code ignored;
    const fs::path installed = fs::exists(folder / path, ignored) ? fs::path() : findPlugin(path);
    if (installed.empty()) return false;
    path = installed.string();
    return true;
}

bool visitChoice(Json& choice, const char* part, const fs::path& folder) {
    if (!choice.is_object() || !choice.contains("params")) return false;
    bool changed = false;
    Json& params = choice["params"];
    for (const char* key : {"file", "folder", "path"}) {
        if (!params.is_object() || !params.contains(key) || !params[key].is_string()) continue;
        std::string path = params[key].get<std::string>();
        if (isPlugin(choice, part) && useInstalled(path, folder)) params[key] = path, changed = true;
        if (!makeAbsolute(path, folder)) continue;
        params[key] = path;
        changed = true;
    }
    return changed;
}

constexpr std::array kWithPaths = {"model", "dataset"};

bool visitChoices(Json& run, const fs::path& folder) {
    bool changed = false;
    for (const char* part : kWithPaths)
        if (run.is_object() && run.contains(part)) changed = visitChoice(run[part], part, folder) || changed;
    return changed;
}

// The objects that a sweep chooses from.
bool visitSpace(Json& space, const fs::path& folder) {
    bool changed = false;
    for (const char* part : kWithPaths) {
        if (!space.is_object() || !space.contains(part)) continue;
        Json& values = space[part];
        for (const char* key : {"choice", "grid", "grid_search"})
            if (values.is_object() && values.contains(key))
                for (Json& each : values[key]) changed = visitChoice(each, part, folder) || changed;
        if (values.is_array())
            for (Json& each : values) changed = visitChoice(each, part, folder) || changed;
    }
    return changed;
}

} // namespace

std::string withAbsolutePaths(const std::string& text, const fs::path& folder) {
    const bool sweep = isSweepFile(text);
    if (!sweep && !parseRunSpec(text).ok()) return text; // its own faults are told from its own text
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded() || !json.is_object()) return text;
    if (!sweep) return visitChoices(json, folder) ? json.dump(2) : text;
    const bool ofRun = json.contains("run") && visitChoices(json["run"], folder);
    const bool ofSpace = visitSpace(json["space"], folder);
    return ofRun || ofSpace ? json.dump(2) : text;
}

bool namesFolder(std::string_view param) { return param == "folder"; }

void relocate(RunSpec& spec, const std::map<std::string, std::string>& paths) {
    for (const auto& [field, path] : paths) {
        const auto dot = field.find('.');
        Choice& choice = field.starts_with("model.") ? spec.model : spec.dataset;
        choice.params[field.substr(dot + 1)] = path;
    }
}

void relocateBack(RunSpec& spec, const std::map<std::string, std::string>& paths, const RunSpec& original) {
    for (const auto& [field, path] : paths) {
        const std::string key = field.substr(field.find('.') + 1);
        const bool isModel = field.starts_with("model.");
        const auto& from = isModel ? original.model.params : original.dataset.params;
        auto& to = isModel ? spec.model.params : spec.dataset.params;
        if (const auto before = from.find(key); before != from.end()) to[key] = before->second;
        else to.erase(key);
    }
}

} // namespace trainyard::spec
