// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/values/json_tree.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>

namespace trainyard::spec {
namespace {

template <class T>
const T* valueOf(const Choice& choice, const std::string& key) {
    const auto found = choice.params.find(key);
    return found == choice.params.end() ? nullptr : std::get_if<T>(&found->second);
}

} // namespace

double Choice::number(const std::string& key, double fallback) const {
    if (const auto* real = valueOf<double>(*this, key)) return *real;
    if (const auto* whole = valueOf<std::int64_t>(*this, key)) return static_cast<double>(*whole);
    return fallback;
}

std::int64_t Choice::integer(const std::string& key, std::int64_t fallback) const {
    if (const auto* whole = valueOf<std::int64_t>(*this, key)) return *whole;
    const auto* real = valueOf<double>(*this, key);
    return real != nullptr && isWhole(*real) ? static_cast<std::int64_t>(*real) : fallback;
}

bool Choice::flag(const std::string& key, bool fallback) const {
    const auto* value = valueOf<bool>(*this, key);
    return value != nullptr ? *value : fallback;
}

std::string Choice::text(const std::string& key, const std::string& fallback) const {
    const auto* value = valueOf<std::string>(*this, key);
    return value != nullptr ? *value : fallback;
}

std::vector<double> Choice::list(const std::string& key, const std::vector<double>& fallback) const {
    const auto* value = valueOf<std::vector<double>>(*this, key);
    return value != nullptr ? *value : fallback;
}

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

std::string toText(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* number = std::get_if<double>(&value); number != nullptr && !std::isfinite(*number))
        return std::isnan(*number) ? "nan" : *number > 0 ? "inf" : "-inf";
    std::string text = valueToJson(value).dump();
    // A whole double prints as "1.0" in JSON; people write 1.
    if (std::holds_alternative<double>(value) && text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

} // namespace trainyard::spec
