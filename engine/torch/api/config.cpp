// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainyard/config.h"

#include "engine/base/nearest_word.h"
#include "engine/base/text/printable.h"
#include "engine/spec/values/params.h"

#include <cstdio>

namespace trainyard::train {
namespace {

[[noreturn]] void missing(const std::string& key, const std::map<std::string, Value>& values) {
    std::vector<std::string> known;
    for (const auto& [name, value] : values) known.push_back(name);
    const auto near = nearestWord(key, known);
    throw InputError("the configuration has no \"" + printable(key) + "\"" +
                     (near.empty() ? "" : "; did you mean \"" + near + "\"?"));
}

template <class T>
T as(const std::string& key, const Value& value, const char* kind) {
    if (const auto* found = std::get_if<T>(&value)) return *found;
    if constexpr (std::is_same_v<T, double>)
        if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    throw InputError("\"" + printable(key) + "\" of the configuration must be " + kind + ", not " +
                     printable(spec::toText(value)));
}

constexpr const char* kNumber = "a number";
constexpr const char* kWhole = "a whole number";
constexpr const char* kFlag = "true or false";
constexpr const char* kText = "a text";

} // namespace

const Value* Config::find(const std::string& key) const {
    const auto found = m_values.find(key);
    return found == m_values.end() ? nullptr : &found->second;
}

double Config::number(const std::string& key) const {
    const auto* value = find(key);
    return value ? as<double>(key, *value, kNumber) : (missing(key, m_values), 0.0);
}
double Config::number(const std::string& key, double fallback) const {
    const auto* value = find(key);
    return value ? as<double>(key, *value, kNumber) : fallback;
}
std::int64_t Config::integer(const std::string& key) const {
    const auto* value = find(key);
    return value ? as<std::int64_t>(key, *value, kWhole) : (missing(key, m_values), 0);
}
std::int64_t Config::integer(const std::string& key, std::int64_t fallback) const {
    const auto* value = find(key);
    return value ? as<std::int64_t>(key, *value, kWhole) : fallback;
}
bool Config::flag(const std::string& key) const {
    const auto* value = find(key);
    return value ? as<bool>(key, *value, kFlag) : (missing(key, m_values), false);
}
bool Config::flag(const std::string& key, bool fallback) const {
    const auto* value = find(key);
    return value ? as<bool>(key, *value, kFlag) : fallback;
}
std::string Config::text(const std::string& key) const {
    const auto* value = find(key);
    return value ? as<std::string>(key, *value, kText) : (missing(key, m_values), std::string());
}
std::string Config::text(const std::string& key, const std::string& fallback) const {
    const auto* value = find(key);
    return value ? as<std::string>(key, *value, kText) : fallback;
}
std::vector<double> Config::list(const std::string& key) const {
    const auto* value = find(key);
    return value ? as<std::vector<double>>(key, *value, "a list of numbers")
                 : (missing(key, m_values), std::vector<double>());
}

std::string toText(const Metrics& metrics) {
    std::string text = "{";
    for (const auto& [name, value] : metrics) {
        char number[40];
        std::snprintf(number, sizeof number, "%.6g", value);
        text += (text.size() > 1 ? ", \"" : "\"") + printable(name) + "\": " + number;
    }
    return text + "}";
}

} // namespace trainyard::train
