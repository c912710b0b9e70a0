// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>

namespace trainyard::spec {

bool isWhole(double number) { return std::abs(number) <= 9007199254740992.0 && std::trunc(number) == number; }

double plainNumber(double number) {
    char text[32]; // in no locale's way
    const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::general, 12).ptr;
    std::from_chars(text, end, number);
    return number;
}

Json valueToJson(const Value& value) {
    const auto* list = std::get_if<std::vector<double>>(&value);
    if (list == nullptr)
        return std::visit(
            [](const auto& v) -> Json {
                if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::vector<double>>) return nullptr;
                else return v;
            },
            value);
    Json array = Json::array();
    for (const double number : *list)
        if (isWhole(number)) array.push_back(static_cast<std::int64_t>(number));
        else array.push_back(number);
    return array;
}

std::optional<Value> valueFromJson(const Json& json) {
    if (json.is_boolean()) return Value(json.get<bool>());
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        return Value(json.get<double>());
    if (json.is_number_integer()) return Value(json.get<std::int64_t>());
    if (json.is_number_float()) return Value(json.get<double>());
    if (json.is_string()) return Value(json.get<std::string>());
    if (!json.is_array()) return std::nullopt;
    std::vector<double> list;
    for (const Json& element : json) {
        if (!element.is_number()) return std::nullopt;
        list.push_back(element.get<double>());
    }
    return Value(std::move(list));
}

} // namespace trainyard::spec
