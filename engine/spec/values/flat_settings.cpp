// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/values/flat_settings.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace trainyard::spec {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

std::string settingText(const nlohmann::json& value) {
    if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number()) {
        char text[32];
        std::snprintf(text, sizeof text, "%.12g", value.get<double>());
        return text;
    }
    if (!value.is_array()) return {};
    std::string list;
    for (const auto& part : value) list += (list.empty() ? "" : ", ") + settingText(part);
    return "[" + list + "]";
}

void flattenInto(const nlohmann::json& object, const std::string& prefix, Settings& out) {
    for (const auto& [key, value] : object.items()) {
        const std::string path = prefix.empty() ? key : key == "name" ? prefix : prefix + "." + key;
        if (value.is_object()) flattenInto(value, path, out);
        else if (path != "name" && path != "version") out.emplace_back(path, settingText(value));
    }
}

} // namespace

std::vector<std::pair<std::string, std::string>> flatSettings(std::string_view runFile) {
    const auto json = parseSortedJson(runFile);
    Settings settings;
    if (json.is_object()) flattenInto(json, {}, settings);
    std::sort(settings.begin(), settings.end());
    return settings;
}

} // namespace trainyard::spec
