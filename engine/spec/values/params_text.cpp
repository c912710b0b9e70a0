// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/values/params_text.h"

#include "engine/base/json_text.h"
#include "engine/spec/values/value_json.h"

#include <nlohmann/json.hpp>

namespace trainyard::spec {

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
