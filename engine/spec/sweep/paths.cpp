// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/paths.h"

#include "engine/base/files/folders.h"
#include "engine/base/json_text.h"
#include "engine/spec/run/run_spec.h"
#include "engine/spec/sweep/space_objects.h"
#include "engine/spec/sweep/sweep_spec.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

namespace trainyard::spec {

namespace {

namespace fs = std::filesystem;

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

constexpr std::array kPathKeys = {"file", "folder", "path", "tokenizer", "validationFile"};

bool visitChoice(Json& choice, std::string_view part, const fs::path& folder) {
    if (!choice.is_object() || !choice.contains("params")) return false;
    bool changed = false;
    Json& params = choice["params"];
    for (const char* key : kPathKeys) {
        if (!params.is_object() || !params.contains(key) || !params[key].is_string()) continue;
        std::string path = params[key].get<std::string>();
        if (isPlugin(choice, part) && useInstalled(path, folder)) params[key] = path, changed = true;
        if (!makeAbsolute(path, folder)) continue;
        params[key] = path;
        changed = true;
    }
    return changed;
}

// A model's weights stand beside its parameters.
bool visitWeights(Json& model, const fs::path& folder) {
    if (!model.is_object() || !model.contains("weights") || !model["weights"].is_object()) return false;
    Json& weights = model["weights"];
    if (!weights.contains("file") || !weights["file"].is_string()) return false;
    std::string path = weights["file"].get<std::string>();
    if (!makeAbsolute(path, folder)) return false;
    weights["file"] = path;
    return true;
}

constexpr std::array kWithPaths = {"model", "dataset"};

// A module is no path, and a command that is one word is looked for as a shell would.
bool visitProgram(Json& program, const fs::path& folder) {
    bool changed = false;
    const auto visit = [&](const char* key, bool mayBeName) {
        if (!program.contains(key) || !program[key].is_string()) return;
        std::string path = program[key].get<std::string>();
        if (mayBeName && path.find('/') == path.npos) return;
        if (!makeAbsolute(path, folder)) return;
        program[key] = path;
        changed = true;
    };
    if (!program.is_object()) return false;
    visit("script", false);
    visit("folder", false);
    visit("interpreter", true);
    if (program.contains("config") && program["config"].is_object() && program["config"].contains("file") &&
        program["config"]["file"].is_string()) {
        std::string path = program["config"]["file"].get<std::string>();
        if (makeAbsolute(path, folder)) {
            program["config"]["file"] = path;
            changed = true;
        }
    }
    return changed;
}

bool visitChoices(Json& run, const fs::path& folder) {
    bool changed = false;
    if (run.is_object() && run.contains("program")) changed = visitProgram(run["program"], folder);
    for (const char* part : kWithPaths)
        if (run.is_object() && run.contains(part)) changed = visitChoice(run[part], part, folder) || changed;
    if (run.is_object() && run.contains("model")) changed = visitWeights(run["model"], folder) || changed;
    return changed;
}

// A value of an axis: an object of model or dataset, or the path itself.
bool visitValue(Json& value, std::string_view axis, const fs::path& folder) {
    for (const std::string part : kWithPaths) {
        if (axis == part) return visitChoice(value, part, folder);
        for (const char* key : kPathKeys) {
            if (axis != part + ".params." + key || !value.is_string()) continue;
            std::string path = value.get<std::string>();
            if (!makeAbsolute(path, folder)) return false;
            value = path;
            return true;
        }
    }
    return false;
}

bool visitValues(Json& values, std::string_view axis, const fs::path& folder) {
    if (!values.is_array()) return visitValue(values, axis, folder);
    bool changed = false;
    for (Json& each : values) changed = visitValue(each, axis, folder) || changed;
    return changed;
}

// The values of {path: values}.
bool visitEach(Json& map, const fs::path& folder) {
    bool changed = false;
    if (map.is_object())
        for (auto& [axis, values] : map.items()) changed = visitValues(values, axis, folder) || changed;
    return changed;
}

// What a sweep chooses from, in lists and under the words that have one, and its conditions.
bool visitSpace(Json& space, const fs::path& folder) {
    bool changed = visitEach(space, folder);
    if (!space.is_object()) return changed;
    for (auto& [axis, values] : space.items()) {
        if (!values.is_object()) continue;
        for (const char* key : {"choice", "grid", "grid_search"})
            if (values.contains(key)) changed = visitValues(values[key], axis, folder) || changed;
        if (values.contains("when")) changed = visitEach(values["when"], folder) || changed;
    }
    return changed;
}

// The list of an axis in the space; null: it has none.
const Json* listOf(const Json& space, const std::string& axis) {
    const auto values = space.find(axis);
    if (values == space.end() || values->is_array()) return values == space.end() ? nullptr : &*values;
    for (const char* key : {"choice", "grid", "grid_search"})
        if (const auto list = values->find(key); values->is_object() && list != values->end() && list->is_array())
            return &*list;
    return nullptr;
}

// The names of an axis's objects, which may hold their paths, before and after these have changed.
std::map<std::string, std::string> renamesOf(const Json& before, const Json& after, const std::string& axis) {
    std::map<std::string, std::string> renames;
    const Json *was = listOf(before, axis), *is = listOf(after, axis);
    if (was == nullptr || is == nullptr) return renames;
    Errors none;
    Axis older, newer;
    readAxisValues(*was, axis, none, older);
    readAxisValues(*is, axis, none, newer);
    for (std::size_t i = 0; i < std::min(older.values.size(), newer.values.size()); ++i)
        renames[toText(older.values[i])] = toText(newer.values[i]);
    return renames;
}

// What stands for objects of the space by their names: in a map from axes to a value or several.
void renameIn(Json& map, const std::string& axis, const std::map<std::string, std::string>& renames) {
    if (!map.is_object() || !map.contains(axis)) return;
    const auto rename = [&](Json& value) {
        if (!value.is_string()) return;
        if (const auto found = renames.find(value.get<std::string>()); found != renames.end()) value = found->second;
    };
    Json& values = map[axis];
    if (!values.is_array()) return rename(values);
    for (Json& each : values) rename(each);
}

// Makes the paths of the space absolute, and those of the configurations that a sweep begins with.
bool visitSweep(Json& sweep, const fs::path& folder) {
    Json& space = sweep["space"];
    const Json before = space;
    bool changed = visitSpace(space, folder);
    const auto eachFirst = [&](const auto& change) {
        if (sweep.contains("first") && sweep["first"].is_array())
            for (Json& configuration : sweep["first"]) change(configuration);
    };
    eachFirst([&](Json& configuration) { changed = visitEach(configuration, folder) || changed; });
    if (!changed || !space.is_object()) return changed;
    for (const char* axis : kWithPaths) {
        const auto renames = renamesOf(before, space, axis);
        eachFirst([&](Json& configuration) { renameIn(configuration, axis, renames); });
        for (auto& [path, values] : space.items())
            if (values.is_object() && values.contains("when")) renameIn(values["when"], axis, renames);
    }
    return changed;
}

} // namespace

std::string withAbsolutePaths(const std::string& text, const fs::path& folder) {
    const bool sweep = isSweepFile(text);
    if (!sweep && !parseRunSpec(text).ok()) return text; // its own faults are told from its own text
    Json json = parseJson(text);
    if (json.is_discarded() || !json.is_object()) return text;
    if (!sweep) return visitChoices(json, folder) ? jsonText(json, 2) : text;
    const bool ofRun = json.contains("run") && visitChoices(json["run"], folder);
    const bool ofSweep = visitSweep(json, folder);
    return ofRun || ofSweep ? jsonText(json, 2) : text;
}

bool namesFolder(std::string_view param) { return param == "folder"; }

void relocate(RunSpec& spec, const std::map<std::string, std::string>& paths) {
    for (const auto& [field, path] : paths) {
        if (field == kWeightsFile) {
            spec.weights.file = path;
            continue;
        }
        const auto dot = field.find('.');
        Choice& choice = field.starts_with("model.") ? spec.model : spec.dataset;
        choice.params[field.substr(dot + 1)] = path;
    }
}

void relocateBack(RunSpec& spec, const std::map<std::string, std::string>& paths, const RunSpec& original) {
    for (const auto& [field, path] : paths) {
        if (field == kWeightsFile) {
            spec.weights.file = original.weights.file;
            continue;
        }
        const std::string key = field.substr(field.find('.') + 1);
        const bool isModel = field.starts_with("model.");
        const auto& from = isModel ? original.model.params : original.dataset.params;
        auto& to = isModel ? spec.model.params : spec.dataset.params;
        if (const auto before = from.find(key); before != from.end()) to[key] = before->second;
        else to.erase(key);
    }
}

bool mayNameFiles(std::string_view axis) {
    return std::ranges::any_of(kWithPaths, [&](const std::string part) {
        return axis == part ||
               std::ranges::any_of(kPathKeys, [&](const char* key) { return axis == part + ".params." + key; });
    });
}

void relocateValues(SweepSpec& sweep, std::size_t index, const std::vector<std::map<std::string, std::string>>& paths) {
    const Axis before = sweep.space[index];
    Json list = Json::array();
    for (std::size_t i = 0; i < before.values.size(); ++i) {
        Json value = jsonOf(before, before.values[i]);
        for (const auto& [field, path] : paths[i])
            if (field == kWeightsFile) continue; // of the run file, whose every trial has it
            else if (value.is_object()) value["params"][field.substr(field.find('.') + 1)] = path;
            else if (before.path.ends_with("params." + field.substr(field.find('.') + 1))) value = path;
        list.push_back(std::move(value));
    }
    Axis& after = sweep.space[index];
    after.values.clear();
    after.objects.clear();
    Errors none;
    readAxisValues(list, before.path, none, after);
    const auto rename = [&](Value& value) {
        const auto found = std::ranges::find(before.values, value);
        if (found != before.values.end()) value = after.values[static_cast<std::size_t>(found - before.values.begin())];
    };
    for (Params& configuration : sweep.first)
        if (const auto given = configuration.find(before.path); given != configuration.end()) rename(given->second);
    for (Axis& axis : sweep.space)
        for (Condition& condition : axis.when)
            if (condition.path == before.path) std::ranges::for_each(condition.values, rename);
}

} // namespace trainyard::spec
