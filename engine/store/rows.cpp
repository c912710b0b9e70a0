// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/rows.h"

#include "engine/base/json_text.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace trainyard::store {

std::string activeWords() {
    std::string list;
    for (int i = 0; i <= static_cast<int>(wire::RunStatus::Interrupted); ++i) {
        const auto status = static_cast<wire::RunStatus>(i);
        if (wire::isActive(status)) list += (list.empty() ? "'" : ", '") + std::string(wire::toString(status)) + "'";
    }
    return "(" + list + ")";
}

using nlohmann::json;

std::string metricsToText(const std::map<std::string, double>& metrics) {
    json object = json::object();
    for (const auto& [name, value] : metrics) object[name] = value; // NaN and infinity become null
    return jsonText(object);
}

std::map<std::string, double> metricsFromText(const std::string& text) {
    std::map<std::string, double> metrics;
    const json object = parseSortedJson(text);
    if (!object.is_object()) return metrics;
    for (const auto& [name, value] : object.items())
        metrics[name] = value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
    return metrics;
}

} // namespace trainyard::store
