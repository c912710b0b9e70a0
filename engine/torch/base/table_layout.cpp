// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/torch/base/table_layout.h"

#include "engine/torch/base/json_io.h"

#include <nlohmann/json.hpp>

namespace trainyard::train {

nlohmann::json toJson(const TableLayout& layout) {
    nlohmann::json features = nlohmann::json::array(), targets = nlohmann::json::array();
    for (const auto& feature : layout.features) {
        nlohmann::json one = {{"name", feature.name}, {"column", feature.column}};
        if (feature.isWords) one["words"] = feature.words;
        if (feature.fill) one["fill"] = *feature.fill;
        if (!feature.unit.empty()) one["unit"] = feature.unit;
        if (feature.isDates()) one["parts"] = feature.parts;
        features.push_back(std::move(one));
    }
    for (const auto& target : layout.targets) targets.push_back({{"name", target.name}, {"column", target.column}});
    return {{"features", std::move(features)},
            {"targets", std::move(targets)},
            {"columns", layout.columns},
            {"hasHeader", layout.hasHeader},
            {"decimal", layout.decimal == 0 ? std::string() : std::string(1, layout.decimal)}};
}

TableLayout tableLayoutFrom(const nlohmann::json& object) {
    TableLayout layout;
    if (!object.is_object()) return layout;
    for (const auto& one : object.value("features", nlohmann::json::array())) {
        if (!one.is_object()) continue;
        TableLayout::Feature feature{.name = textOr(one, "name", {}), .column = integerOr(one, "column", 0)};
        feature.isWords = one.contains("words");
        feature.words = textsOr(one, "words");
        if (const auto fill = one.find("fill"); fill != one.end() && fill->is_number())
            feature.fill = fill->get<double>();
        feature.unit = textOr(one, "unit", {});
        feature.parts = textsOr(one, "parts");
        layout.features.push_back(std::move(feature));
    }
    for (const auto& one : object.value("targets", nlohmann::json::array()))
        layout.targets.push_back({textOr(one, "name", {}), integerOr(one, "column", 0)});
    layout.columns = integerOr(object, "columns", 0);
    layout.hasHeader = object.contains("hasHeader") && object["hasHeader"] == nlohmann::json(true);
    const std::string decimal = textOr(object, "decimal", {});
    layout.decimal = decimal.empty() ? 0 : decimal.front();
    return layout;
}

} // namespace trainyard::train
