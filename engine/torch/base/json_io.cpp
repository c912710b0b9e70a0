// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/json_io.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace trainyard::train {

using nlohmann::json;

namespace {

const json* member(const json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
}

} // namespace

Result<json> parseObject(std::string_view text, const std::string& where) {
    json parsed = parseSortedJson(text);
    if (!parsed.is_object()) return inputError("is not a JSON object", where);
    return parsed;
}

json jsonNumber(double number) {
    if (std::isfinite(number)) return number;
    if (std::isnan(number)) return "nan";
    return number > 0 ? "inf" : "-inf";
}

std::map<std::string, double> numberMapOr(const json& object, const char* key) {
    std::map<std::string, double> numbers;
    const json* value = member(object, key);
    if (!value || !value->is_object()) return numbers;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const auto& [name, item] : value->items())
        if (item.is_number()) numbers[name] = item.get<double>();
        else if (item == "nan") numbers[name] = std::numeric_limits<double>::quiet_NaN();
        else if (item == "inf") numbers[name] = infinity;
        else if (item == "-inf") numbers[name] = -infinity;
    return numbers;
}

std::int64_t integerOr(const json& object, const char* key, std::int64_t fallback) {
    const json* value = member(object, key);
    return value && value->is_number_integer() ? value->get<std::int64_t>() : fallback;
}

std::string textOr(const json& object, const char* key, const std::string& fallback) {
    const json* value = member(object, key);
    return value && value->is_string() ? value->get<std::string>() : fallback;
}

std::vector<std::int64_t> integersOr(const json& object, const char* key) {
    std::vector<std::int64_t> list;
    if (const json* value = member(object, key); value && value->is_array())
        for (const json& item : *value)
            if (item.is_number_integer()) list.push_back(item.get<std::int64_t>());
    return list;
}

std::vector<double> numbersOr(const json& object, const char* key) {
    std::vector<double> list;
    if (const json* value = member(object, key); value && value->is_array())
        for (const json& item : *value)
            if (item.is_number()) list.push_back(item.get<double>());
    return list;
}

std::vector<std::string> textsOr(const json& object, const char* key) {
    std::vector<std::string> list;
    if (const json* value = member(object, key); value && value->is_array())
        for (const json& item : *value)
            if (item.is_string()) list.push_back(item.get<std::string>());
    return list;
}

} // namespace trainyard::train
