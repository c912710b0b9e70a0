// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/values/params.h"

#include "engine/base/json_text.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

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

std::string toText(const Value& value) {
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    if (const auto* number = std::get_if<double>(&value); number != nullptr && !std::isfinite(*number))
        return std::isnan(*number) ? "nan" : *number > 0 ? "inf" : "-inf";
    std::string text = jsonText(valueToJson(value));
    // A whole double prints as "1.0" in JSON; people write 1.
    if (std::holds_alternative<double>(value) && text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

std::string paramsToText(const Params& params) {
    Json json = Json::object();
    for (const auto& [path, value] : params) json[path] = valueToJson(value);
    return jsonText(json);
}

Params paramsFromText(std::string_view text) {
    const auto json = parseJson(text);
    Params params;
    if (!json.is_object()) return params;
    for (const auto& [path, given] : json.items())
        if (auto value = valueFromJson(given)) params[path] = std::move(*value);
    return params;
}

} // namespace trainyard::spec
