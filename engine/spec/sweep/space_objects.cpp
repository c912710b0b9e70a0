// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/sweep/space_objects.h"

#include "engine/base/json_text.h"
#include "engine/base/text/printable.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace trainyard::spec {
namespace {

constexpr std::size_t kLongestName = 60; // more is no short name

using FlatObject = std::map<std::string, Json>;

// {"name": "mlp", "params": {"hidden": [64]}} as name and hidden, whatever the order of the keys.
void flatten(const Json& object, const std::string& path, FlatObject& flat) {
    for (const auto& [key, value] : object.items()) {
        const bool isParams = path.empty() && key == "params" && value.is_object();
        const std::string at = isParams ? "" : joinPath(path, key);
        if (isParams || (value.is_object() && !value.empty())) flatten(value, at, flat);
        else flat[at] = value;
    }
}

// A text that stands among objects is the same as an object with that name.
FlatObject flatOf(const Json& given) {
    FlatObject flat;
    if (given.is_object()) flatten(given, {}, flat);
    else if (given.is_string()) flat["name"] = given;
    return flat;
}

std::string wordOf(const Json& value) { return value.is_string() ? value.get<std::string>() : jsonText(value); }

std::string nameOf(const FlatObject& object) {
    const auto found = object.find("name");
    return found == object.end() ? std::string() : wordOf(found->second);
}

// The keys by which some of these objects differ; of those without any difference all.
std::set<std::string> tellingKeys(const std::vector<const FlatObject*>& objects) {
    std::set<std::string> keys, telling;
    for (const auto* object : objects)
        for (const auto& [key, value] : *object) keys.insert(key);
    keys.erase("name");
    for (const auto& key : keys) {
        const auto first = objects.front()->find(key);
        const bool differs = std::any_of(objects.begin(), objects.end(), [&](const auto* object) {
            const auto found = object->find(key);
            if (found == object->end() || first == objects.front()->end())
                return (found == object->end()) != (first == objects.front()->end());
            return found->second != first->second;
        });
        if (differs) telling.insert(key);
    }
    return telling.empty() && nameOf(*objects.front()).empty() ? keys : telling;
}

std::string shortName(const FlatObject& object, const std::set<std::string>& keys) {
    std::string text = nameOf(object);
    for (const auto& key : keys)
        if (const auto found = object.find(key); found != object.end())
            text += (text.empty() ? "" : " ") + key + "=" + wordOf(found->second);
    return text.empty() ? "{}" : printable(text, text.size() * 6);
}

// Where no short name tells them apart, their places among those of the same name do.
std::vector<std::string> namesOf(const std::vector<FlatObject>& objects) {
    std::map<std::string, std::vector<std::size_t>> groups; // by `name`
    for (std::size_t i = 0; i < objects.size(); ++i) groups[nameOf(objects[i])].push_back(i);
    std::vector<std::string> names(objects.size());
    for (const auto& [name, members] : groups) {
        std::vector<const FlatObject*> group;
        for (const auto i : members) group.push_back(&objects[i]);
        const auto keys = tellingKeys(group);
        std::map<std::string, const FlatObject*> taken;
        bool clear = true;
        for (const auto i : members) {
            names[i] = shortName(objects[i], keys);
            const auto [place, isNew] = taken.emplace(names[i], &objects[i]);
            clear = clear && names[i].size() <= kLongestName && (isNew || *place->second == objects[i]);
        }
        if (clear) continue;
        std::vector<const FlatObject*> different;
        for (const auto i : members) {
            const auto same =
                std::find_if(different.begin(), different.end(), [&](const auto* each) { return *each == objects[i]; });
            const auto number = same - different.begin() + 1;
            if (same == different.end()) different.push_back(&objects[i]);
            names[i] = printable(name, kLongestName) + (name.empty() ? "#" : " #") + std::to_string(number);
        }
    }
    return names;
}

// The value of the axis that means the same in a run file.
std::optional<Value> equalOf(const Axis& axis, const Json& given) {
    const auto wanted = flatOf(given);
    for (const Value& value : axis.values)
        if (flatOf(jsonOf(axis, value)) == wanted) return value;
    return std::nullopt;
}

} // namespace

void readAxisValues(const Json& given, const std::string& path, Errors& errors, Axis& axis) {
    if (given.empty()) errors.push_back({path, "[]", "has no values", "list at least one"});
    const bool anyObject = std::any_of(given.begin(), given.end(), [](const Json& each) { return each.is_object(); });
    std::vector<FlatObject> flat;
    for (const Json& each : given) flat.push_back(flatOf(each));
    const auto names = anyObject ? namesOf(flat) : std::vector<std::string>();
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i].is_object()) {
            axis.values.emplace_back(names[i]);
            axis.objects[names[i]] = jsonText(given[i]);
        } else if (auto value = valueFromJson(given[i])) {
            axis.values.push_back(std::move(*value));
        } else {
            errors.push_back({path + "." + std::to_string(i), shown(given[i]), "is not a value a field can take",
                              "write a number, true, false, text, a list of numbers or an object"});
        }
    }
}

std::optional<Value> readValueOf(const Axis& axis, const Json& given) {
    return given.is_object() ? equalOf(axis, given) : valueFromJson(given);
}

std::vector<Value> readValuesOf(const Axis& axis, const Json& given) {
    auto value = readValueOf(axis, given);
    if (!value) return {};
    const auto* text = std::get_if<std::string>(&*value);
    const bool isKnown = std::find(axis.values.begin(), axis.values.end(), *value) != axis.values.end();
    std::vector<Value> all;
    if (text != nullptr && !isKnown)
        for (const auto& [name, object] : axis.objects)
            if (nameOf(flatOf(parseJson(object))) == *text) all.emplace_back(name);
    if (all.empty()) all.push_back(std::move(*value));
    return all;
}

Json jsonOf(const Axis& axis, const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value))
        if (const auto object = axis.objects.find(*text); object != axis.objects.end())
            return parseJson(object->second);
    return valueToJson(value);
}

Params renamed(std::span<const Axis> from, std::span<const Axis> to, Params params) {
    Params result;
    for (auto& [path, value] : params) {
        const Axis *was = findAxis(from, path), *is = findAxis(to, path);
        const bool anyObject = was != nullptr && is != nullptr && !(was->objects.empty() && is->objects.empty());
        if (!anyObject) result[path] = std::move(value);
        else if (auto same = equalOf(*is, jsonOf(*was, value))) result[path] = std::move(*same);
    }
    return result;
}

} // namespace trainyard::spec
