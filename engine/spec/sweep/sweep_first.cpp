// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/sweep_first.h"

#include "engine/base/nearest_word.h"
#include "engine/spec/run/check.h"
#include "engine/spec/sweep/space_objects.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard::spec {
namespace {

bool isWithin(const Axis& axis, double number) {
    const double slack = 1e-9 * std::max(std::abs(axis.from), std::abs(axis.to));
    return number >= axis.from - slack && number <= axis.to + slack;
}

// The axis's own value that was meant; nothing when it does not take it.
std::optional<Value> takenBy(const Axis& axis, const Value& value) {
    if (!axis.isList()) {
        const double number = Choice{{}, {{"", value}}}.number("", std::nan(""));
        if (!isWithin(axis, number)) return std::nullopt;
        const bool any = cellsOf(axis) == 0 && !axis.whole; // else the nearest that there is
        return any ? Value(std::clamp(number, axis.from, axis.to)) : valueAt(axis, placeOf(axis, value));
    }
    for (const Value& each : axis.values)
        if (toText(each) == toText(value)) return each;
    return std::nullopt;
}

void readField(const SweepSpec& spec, const std::string& field, const Json& given, const std::string& path,
               Errors& errors, Params& params) {
    const Axis* axis = findAxis(spec.space, field);
    if (axis == nullptr) {
        std::vector<std::string> paths;
        for (const Axis& each : spec.space) paths.push_back(each.path);
        const auto near = nearestWord(field, paths);
        errors.push_back({path, shown(given), "is not a field of the space",
                          near.empty() ? "give it values in space" : "did you mean \"" + near + "\"?"});
        return;
    }
    const auto value = readValueOf(*axis, given);
    const auto taken = value ? takenBy(*axis, *value) : std::nullopt;
    if (taken) params[field] = *taken;
    else errors.push_back({path, shown(given), "is not a value of its axis", "take one that space." + field + " has"});
}

Params readConfiguration(const SweepSpec& spec, const Json& given, const std::string& path, Errors& errors) {
    const auto before = errors.size();
    Params params;
    for (const auto& [field, value] : given.items())
        readField(spec, field, value, joinPath(path, field), errors, params);
    if (errors.size() > before) return {};
    params = activeParams(spec.space, std::move(params));
    for (const Axis& axis : spec.space)
        if (isActive(axis, params) && !params.contains(axis.path))
            errors.push_back({joinPath(path, axis.path), "", "is missing", "give every field of the space"});
    return params;
}

std::vector<EarlierResult> readResults(const Json& list) {
    std::vector<EarlierResult> results;
    for (const Json& each : list) {
        EarlierResult result;
        const auto params = each.find("params"), loss = each.find("loss");
        if (params == each.end() || loss == each.end() || !params->is_object() || !loss->is_number()) continue;
        result.loss = loss->get<double>();
        if (const auto second = each.find("second"); second != each.end() && second->is_number())
            result.second = second->get<double>();
        for (const auto& [field, value] : params->items())
            if (auto read = valueFromJson(value)) result.params[field] = std::move(*read);
        results.push_back(std::move(result));
    }
    return results;
}

WarmStart readWarmStart(const Json& given, const std::string& path, Errors& errors) {
    WarmStart start;
    ObjectReader reader(given, path, errors);
    Checker check(errors);
    reader("sweep", start.sweep);
    if (start.sweep.empty()) check.fail(joinPath(path, "sweep"), "", "is missing", "give the name or id of a sweep");
    reader("best", start.best);
    check.range(joinPath(path, "best"), std::int64_t{start.best}, 0, 1000);
    reader("sameRun", start.sameRun);
    if (const Json* results = reader.at("results")) {
        if (results->is_array()) start.results = readResults(*results);
        else
            reader.report(joinPath(path, "results"), *results, "must be a list",
                          "leave it out: it is filled in at the start");
    }
    reader.finish();
    return start;
}

// The objects of a list.
template <class Read>
void readList(ObjectReader& reader, Errors& errors, const char* key, const char* example, const Read& read) {
    const Json* list = reader.at(key);
    if (list == nullptr) return;
    if (!list->is_array()) return reader.report(key, *list, "must be a list", example);
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string path = std::string(key) + "." + std::to_string(i);
        if ((*list)[i].is_object()) read((*list)[i], path);
        else errors.push_back({path, shown((*list)[i]), "must be an object { … }", example});
    }
}

Json paramsJson(const Params& params) {
    Json json = Json::object();
    for (const auto& [path, value] : params) json[path] = valueToJson(value);
    return json;
}

} // namespace

void readFirst(ObjectReader& reader, Errors& errors, SweepSpec& spec) {
    readList(reader, errors, "first", "for example [{\"optimizer.lr\": 0.1}]",
             [&](const Json& given, const std::string& path) {
                 spec.first.push_back(readConfiguration(spec, given, path, errors));
             });
    readList(reader, errors, "warmStart", "for example [{\"sweep\": \"coarse\", \"best\": 3}]",
             [&](const Json& given, const std::string& path) {
                 spec.warmStart.push_back(readWarmStart(given, path, errors));
             });
}

void writeFirst(const SweepSpec& spec, Json& sweep) {
    for (const Params& params : spec.first) sweep["first"].push_back(paramsJson(params));
    for (const WarmStart& start : spec.warmStart) {
        Json results = Json::array();
        for (const EarlierResult& each : start.results) {
            results.push_back({{"params", paramsJson(each.params)}, {"loss", each.loss}});
            if (each.second) results.back()["second"] = *each.second;
        }
        sweep["warmStart"].push_back({{"sweep", start.sweep},
                                      {"best", start.best},
                                      {"sameRun", start.sameRun},
                                      {"results", std::move(results)}});
    }
}

// What another space had and this one has not is left out, and what is missing makes it no configuration of this one.
std::optional<Params> fitted(const std::vector<Axis>& space, const Params& params) {
    Params fitting;
    for (const Axis& axis : space)
        if (const auto given = params.find(axis.path); given != params.end())
            if (const auto value = takenBy(axis, given->second)) fitting[axis.path] = *value;
    fitting = activeParams(space, std::move(fitting));
    for (const Axis& axis : space)
        if (isActive(axis, fitting) && !fitting.contains(axis.path)) return std::nullopt;
    return fitting;
}

std::vector<Params> firstConfigurations(const SweepSpec& spec) {
    std::vector<Params> list = spec.first;
    for (const WarmStart& start : spec.warmStart) {
        int left = start.best;
        for (const EarlierResult& each : start.results) {
            if (left == 0) break;
            auto params = fitted(spec.space, each.params);
            if (!params) continue;
            --left;
            if (std::find(list.begin(), list.end(), *params) == list.end()) list.push_back(std::move(*params));
        }
    }
    return list;
}

} // namespace trainyard::spec
