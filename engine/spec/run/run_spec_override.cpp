// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/base/text/quoted.h"
#include "engine/spec/run/run_fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace trainyard::spec {
namespace {

constexpr std::string_view kInSweep = "run."; // a sweep file's paths into the run file in it

// The names of a program's arguments and variables are its own, dots in them too, and so are globs of parameters.
constexpr std::array kWithOwnNames = {std::string_view("program.arguments."), std::string_view("program.environment."),
                                      std::string_view("program.config.set."), std::string_view("finetune.groups.")};

std::vector<std::string> segments(const std::string& path) {
    std::size_t whole = path.npos;
    for (const auto prefix : kWithOwnNames)
        if (path.starts_with(prefix)) whole = prefix.size();
    std::vector<std::string> parts{""};
    for (std::size_t i = 0; i < path.size(); ++i)
        if (path[i] == '.' && i < whole) parts.emplace_back();
        else parts.back() += path[i];
    return parts;
}

bool isChoice(const std::string& key) {
    static constexpr std::array kChoices = {"model", "dataset",  "optimizer", "schedule",
                                            "loss",  "searcher", "scheduler"};
    return std::find(kChoices.begin(), kChoices.end(), key) != kChoices.end();
}

// Of these pairs exactly one is given, so setting one takes the other out.
void removeRival(Json& parent, const std::string& key) {
    static constexpr std::array<std::array<const char*, 2>, 2> kPairs = {{{"epochs", "steps"}, {"perRank", "global"}}};
    for (const auto& pair : kPairs) {
        if (key == pair[0]) parent.erase(pair[1]);
        if (key == pair[1]) parent.erase(pair[0]);
    }
}

// JSON when it is JSON, else the text itself: 0.05, true, [1, 2], "a b", adamw.
Json valueFrom(const std::string& text) {
    Errors errors;
    const std::string wrapped = "{\"v\":" + text + "}";
    Json tree = parseTree(wrapped, errors);
    if (errors.empty() && tree.size() == 1 && tree.contains("v")) return tree["v"];
    return text;
}

bool isIndex(const std::string& key, std::size_t size) {
    std::size_t index = 0;
    const auto parsed = std::from_chars(key.data(), key.data() + key.size(), index);
    return parsed.ec == std::errc{} && parsed.ptr == key.data() + key.size() && index < size;
}

// What to write instead of a path that cannot be set: the whole list where it names an element that is not there.
std::string insteadOf(const Json& tree, const std::string& path, const Json& value) {
    const Json* at = &tree;
    std::string list;
    for (const std::string& key : segments(path)) {
        if (at->is_array() && !isIndex(key, at->size())) break;
        if (!at->is_array() && !at->contains(key)) break;
        at = at->is_array() ? &(*at)[static_cast<std::size_t>(std::stoul(key))] : &(*at)[key];
        list = joinPath(list, key);
    }
    if (!at->is_array()) return "give path=value, for example optimizer.lr=0.05";
    const std::size_t size = at->size();
    const std::string elements = size == 0   ? "is empty"
                                 : size == 1 ? "has 1 element, 0"
                                             : "has the elements 0 to " + std::to_string(size - 1);
    Json longer = *at;
    longer.push_back(value);
    const std::string whole = list + "=" + jsonText(longer);
    return "the list " + elements + "; or set it whole: --set " + printable(shellWord(whole), 160);
}

} // namespace

const Json* fieldAt(const Json& tree, const std::string& path) {
    const Json* node = &tree;
    for (const std::string& key : segments(path)) {
        const auto found = node->find(key);
        if (found == node->end()) return nullptr;
        node = &*found;
    }
    return node;
}

std::string setField(Json& tree, const std::string& path, Json value) {
    const std::vector<std::string> parts = segments(path);
    if (parts.size() > kMaxDepth) return "has more than 64 parts";
    Json* at = &tree;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string& key = parts[i];
        const bool last = i + 1 == parts.size();
        if (key.empty()) return "has an empty part: write it like optimizer.lr";
        if (at->is_array()) {
            if (!isIndex(key, at->size())) return "names an element that the list does not have";
            at = &(*at)[static_cast<std::size_t>(std::stoul(key))];
        } else {
            if (last && (i == 0 || parts[i - 1] == "batch")) removeRival(*at, key);
            at = &(*at)[key];
        }
        if (last) break;
        if (i == 0 && isChoice(key) && at->is_string()) *at = Json::object({{"name", *at}});
        if (at->is_null()) *at = Json::object();
        if (!at->is_object() && !at->is_array()) return "goes through " + printable(key, 60) + ", which has no fields";
    }
    *at = std::move(value);
    return {};
}

Result<std::string> withOverride(std::string_view json, const std::string& path, const std::string& value) {
    Errors errors;
    Json tree = parseTree(json, errors);
    if (!errors.empty()) return toError(errors, {});
    const bool ofRun =
        path.starts_with(kInSweep) && tree.contains("space") && tree.contains("run") && tree["run"].is_object();
    Json& run = ofRun ? tree["run"] : tree;
    checkVersion(run, "", errors); // so that the path means what it means today
    if (!errors.empty()) return toError(errors, {});
    const std::string name = printable(path, 120);
    const std::string field = ofRun ? path.substr(kInSweep.size()) : path;
    const std::string problem = setField(run, field, valueFrom(value));
    if (!problem.empty())
        return toError({{name, printable(value, 80), problem, insteadOf(run, field, valueFrom(value))}}, {});
    return jsonFile(tree);
}

} // namespace trainyard::spec
