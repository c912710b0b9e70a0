// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json_text.h"
#include "engine/spec/run/object_reader.h"
#include "engine/spec/run/sections.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace trainyard::spec {
namespace {

// In the order of ParamType.
constexpr std::array kTypes = {"flag", "integer", "number", "text", "integer-list", "option", "path", "number-list"};

Json toTree(const ParamInfo& p) {
    Json tree = Json::object({{"name", p.name},
                              {"title", p.title},
                              {"type", kTypes[static_cast<std::size_t>(p.type)]},
                              {"default", valueToJson(p.defaultValue)}});
    if (p.min) tree["min"] = *p.min;
    if (p.max) tree["max"] = *p.max;
    if (p.minExclusive) tree["minExclusive"] = true;
    if (p.logScale) tree["logScale"] = true;
    if (!p.options.empty()) tree["options"] = p.options;
    if (!p.unit.empty()) tree["unit"] = p.unit;
    tree["help"] = p.help;
    return tree;
}

Json toTree(const Entry& e) {
    Json params = Json::array();
    for (const ParamInfo& p : e.params) params.push_back(toTree(p));
    Json tree = Json::object({{"name", e.name}, {"title", e.title}, {"help", e.help}, {"available", e.available}});
    if (!e.available) tree["unavailable"] = e.unavailable;
    if (e.downloads) tree["downloads"] = true;
    if (!e.tasks.empty()) tree["tasks"] = e.tasks;
    tree["params"] = std::move(params);
    Json facts = Json::object();
    for (const auto& [key, value] : e.facts) facts[key] = value;
    tree["facts"] = std::move(facts);
    return tree;
}

Json toTree(const std::vector<Entry>& entries) {
    Json array = Json::array();
    for (const Entry& e : entries) array.push_back(toTree(e));
    return array;
}

// The fields of the run file itself: the same for every worker of this version, so a reader has them in its own table.
Json sectionsTree() {
    Json sections = Json::array();
    for (const Section& section : runSections()) {
        Json params = Json::array();
        for (const ParamInfo& p : section.params) params.push_back(toTree(p));
        sections.push_back(
            Json::object({{"title", section.title}, {"help", section.help}, {"params", std::move(params)}}));
    }
    return sections;
}

// Calls `read` with a reader for each object of a list.
void eachObject(ObjectReader& reader, const char* key, Errors& errors, const std::function<void(ObjectReader&)>& read) {
    const Json* list = reader.at(key);
    if (list == nullptr || !list->is_array()) {
        errors.push_back({reader.pathOf(key), list == nullptr ? "" : shown(*list), "must be a list", ""});
        return;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string path = reader.pathOf(key) + "." + std::to_string(i);
        if (!(*list)[i].is_object()) {
            errors.push_back({path, shown((*list)[i]), "must be an object { … }", ""});
            continue;
        }
        ObjectReader inner((*list)[i], path, errors);
        read(inner);
        inner.finish();
    }
}

// The default in the parameter's own type, so that 1 stands for 1.0.
Value typed(Value value, ParamType type) {
    if (const auto* whole = std::get_if<std::int64_t>(&value); whole != nullptr && type == ParamType::Number)
        return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value); real != nullptr && type == ParamType::Integer && isWhole(*real))
        return static_cast<std::int64_t>(*real);
    return value;
}

ParamInfo readParam(ObjectReader& reader) {
    ParamInfo p;
    std::string type;
    reader("name", p.name);
    reader("title", p.title);
    reader("type", type);
    const auto found = std::find(kTypes.begin(), kTypes.end(), type);
    if (found != kTypes.end()) p.type = static_cast<ParamType>(found - kTypes.begin());
    else reader.report(reader.pathOf("type"), type, "is not a known type");
    if (const Json* value = reader.at("default")) {
        if (auto read = valueFromJson(*value)) p.defaultValue = typed(std::move(*read), p.type);
        else reader.report(reader.pathOf("default"), *value, "is not a value");
    }
    for (auto [key, bound] : {std::pair{"min", &p.min}, std::pair{"max", &p.max}}) {
        if (!reader.has(key)) continue;
        double number = std::nan("");
        reader(key, number);
        if (!std::isnan(number)) *bound = number;
    }
    reader("minExclusive", p.minExclusive);
    reader("logScale", p.logScale);
    reader("options", p.options);
    reader("unit", p.unit);
    reader("help", p.help);
    return p;
}

Entry readEntry(ObjectReader& reader, Errors& errors) {
    Entry e;
    reader("name", e.name);
    reader("title", e.title);
    reader("help", e.help);
    reader("available", e.available);
    reader("unavailable", e.unavailable);
    reader("downloads", e.downloads);
    reader("tasks", e.tasks);
    eachObject(reader, "params", errors, [&](ObjectReader& inner) { e.params.push_back(readParam(inner)); });
    if (const Json* facts = reader.objectAt("facts")) {
        for (const auto& [key, value] : facts->items())
            if (value.is_string()) e.facts[key] = value.get<std::string>();
            else reader.report(joinPath(reader.pathOf("facts"), key), value, "must be text");
    }
    return e;
}

} // namespace

std::string toJson(const Catalog& catalog) {
    Json devices = Json::array();
    for (const Device& d : catalog.devices)
        devices.push_back(Json::object({{"name", d.name}, {"title", d.title}, {"memoryBytes", d.memoryBytes}}));
    const Json tree = Json::object({{"version", catalog.version},
                                    {"libtorchVersion", catalog.libtorchVersion},
                                    {"blas", catalog.blas},
                                    {"models", toTree(catalog.models)},
                                    {"datasets", toTree(catalog.datasets)},
                                    {"optimizers", toTree(catalog.optimizers)},
                                    {"schedules", toTree(catalog.schedules)},
                                    {"losses", toTree(catalog.losses)},
                                    {"precisions", catalog.precisions},
                                    {"backends", catalog.backends},
                                    {"devices", std::move(devices)},
                                    {"sections", sectionsTree()}});
    return jsonFile(tree);
}

Result<Catalog> catalogFromJson(std::string_view text) {
    Errors errors;
    const Json tree = parseTree(text, errors);
    if (!errors.empty()) return toError(errors, "catalog");
    Catalog catalog;
    ObjectReader reader(tree, "", errors);
    reader("version", catalog.version);
    reader("libtorchVersion", catalog.libtorchVersion);
    reader("blas", catalog.blas);
    for (auto [key, entries] : {std::pair{"models", &catalog.models}, std::pair{"datasets", &catalog.datasets},
                                std::pair{"optimizers", &catalog.optimizers},
                                std::pair{"schedules", &catalog.schedules}, std::pair{"losses", &catalog.losses}})
        eachObject(reader, key, errors,
                   [&, list = entries](ObjectReader& inner) { list->push_back(readEntry(inner, errors)); });
    reader("precisions", catalog.precisions);
    reader("backends", catalog.backends);
    reader.at("sections"); // known, and not needed
    eachObject(reader, "devices", errors, [&](ObjectReader& inner) {
        Device device;
        inner("name", device.name);
        inner("title", device.title);
        inner("memoryBytes", device.memoryBytes);
        catalog.devices.push_back(std::move(device));
    });
    reader.finish();
    if (!errors.empty()) return toError(errors, "catalog");
    return catalog;
}

} // namespace trainyard::spec
